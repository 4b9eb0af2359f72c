# SPDX-License-Identifier: Apache-2.0
# The C headers that modules/bindings is made from and tested against: where they are, which version,
# how to get them. Needs common.sh and toolchain.sh.

readonly HEADER_LIBRARIES=(verbs mlx5dv pmix cuda abi)

header_name() {
  case "$1" in
    verbs) echo infiniband/verbs.h ;;
    mlx5dv) echo infiniband/mlx5dv.h ;;
    pmix) echo pmix.h ;;
    cuda) echo cuda.h ;;
    abi) echo jgin/abi.h ;;
  esac
}

# header_folder LIBRARY: the folder to give to -I, or nothing if the compiler looks there anyway.
header_folder() {
  local module=""
  case "$1" in
    verbs) module=libibverbs ;;
    mlx5dv) module=libmlx5 ;;
    pmix) module=pmix ;;
    cuda) echo "${CUDA_HOME:-/usr/local/cuda}/include" ;;
    abi) echo "$JGIN_ROOT/cuda-kernels/include" ;;
  esac
  if [[ -n "$module" ]]; then pkg-config --variable=includedir "$module" 2>/dev/null || true; fi
}

# header_version LIBRARY: the version of its header, or nothing if the header is not there.
header_version() {
  local file
  case "$1" in
    verbs) pkg-config --modversion libibverbs 2>/dev/null || true ;;
    mlx5dv) pkg-config --modversion libmlx5 2>/dev/null || true ;;
    pmix) pkg-config --modversion pmix 2>/dev/null || true ;;
    cuda)
      file="$(header_folder cuda)/cuda.h"
      if [[ -r "$file" ]]; then sed -n 's/^#define CUDA_VERSION //p' "$file" | head -n 1; fi
      ;;
    abi)
      file="$(header_folder abi)/jgin/abi.h"
      if [[ -r "$file" ]]; then sed -n 's/^#define JGIN_ABI_VERSION //p' "$file" | head -n 1; fi
      ;;
  esac
}

header_remedy() {
  case "$1" in
    verbs | mlx5dv) echo "install libibverbs-dev (Debian) or rdma-core-devel (RHEL), and pkg-config" ;;
    pmix) echo "install libpmix-dev (Debian) or pmix-devel (RHEL), and pkg-config" ;;
    cuda) echo "install a CUDA toolkit and set CUDA_HOME to it" ;;
    abi) echo "it is part of this repository: restore cuda-kernels/include" ;;
  esac
}

# Installs compiler and headers where the distribution has them and we may; says loudly what stays
# missing. CUDA is not a distribution's package: without a toolkit its header is not there.
install_headers() {
  local package
  command -v pkg-config >/dev/null || apt_install pkg-config || say "!! no pkg-config"
  if ! command -v cc >/dev/null; then
    # gcc only recommends the C library's own headers.
    apt_install gcc && apt_install libc6-dev || say "!! no C compiler (cc): install gcc and libc6-dev"
  fi
  for package in libibverbs-dev:verbs libpmix-dev:pmix; do
    if [[ -z "$(header_version "${package#*:}")" ]] && ! apt_install "${package%:*}"; then
      say "!! no $(header_name "${package#*:}"): $(header_remedy "${package#*:}")"
    fi
  done
}
