# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The programs that soft-roce needs, and a Debian kernel for its guest. Needs common.sh, toolchain.sh.

# PROGRAM:PACKAGE, on this machine; the guest sees them too.
readonly SOFT_ROCE_PROGRAMS=(
  qemu-system-x86_64:qemu-system-x86 busybox:busybox-static modprobe:kmod depmod:kmod cpio:cpio
  xz:xz-utils ip:iproute2 rdma:iproute2 tc:iproute2 sysctl:procps ibv_devinfo:ibverbs-utils
  ib_write_lat:perftest
)
readonly SOFT_ROCE_LIBRARIES=(ibverbs-providers)

# The modules that the guest may load, besides those that they depend on. The first group must exist;
# the second is of use to tests, or built into the kernel or absent, as versions go.
readonly SOFT_ROCE_MODULES=(9p 9pnet_virtio virtio_pci virtio_console overlay rdma_rxe ib_uverbs veth)
readonly SOFT_ROCE_EXTRA_MODULES=(virtio_rng rdma_ucm ib_umad bridge sch_netem sch_prio cls_u32
  crc32c_generic crc32_generic crc32c_intel crc32_pclmul)

# has_program PROGRAM: also in the folders that only root has on its PATH.
has_program() { PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null; }

# Prints the packages that are missing, one a line.
missing_packages() {
  local entry
  for entry in "${SOFT_ROCE_PROGRAMS[@]}"; do
    if ! has_program "${entry%%:*}"; then printf '%s\n' "${entry#*:}"; fi
  done | sort -u
  for entry in "${SOFT_ROCE_LIBRARIES[@]}"; do
    if ! compgen -G '/usr/lib/*/libibverbs/librxe-rdmav*.so' >/dev/null &&
      ! compgen -G '/usr/lib*/libibverbs/librxe-rdmav*.so' >/dev/null; then
      printf '%s\n' "$entry"
    fi
  done
}

# Installs what is missing, or explains it.
ensure_packages() {
  local package missing=() refused=()
  mapfile -t missing < <(missing_packages)
  for package in ${missing[@]+"${missing[@]}"}; do
    apt_install "$package" || refused+=("$package")
  done
  if ((${#refused[@]} > 0)); then
    say "soft-roce lacks the packages (Debian's names): ${refused[*]}"
    say "Only root can install them, on Debian and its kin: apt-get install ${refused[*]}"
    fail "packages are missing"
  fi
  [[ "$(busybox 2>/dev/null)" == *switch_root* ]] ||
    fail "this busybox has no switch_root; install Debian's busybox-static"
}

# The Debian package with the kernel's image and modules that linux-image-amd64 stands for.
kernel_package() {
  if [[ -n "${JGIN_SOFT_ROCE_KERNEL:-}" ]]; then
    printf '%s\n' "$JGIN_SOFT_ROCE_KERNEL"
    return
  fi
  apt-cache depends linux-image-amd64 2>/dev/null |
    sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' | head -n 1
}

# ensure_kernel CACHE: fills CACHE with vmlinux, initrd.cpio.gz and version, from the distribution's
# package, which is unpacked and never installed. A filled cache is left alone: remove it to renew.
ensure_kernel() {
  local cache="$1" lock
  mkdir -p "$cache"
  exec {lock}>"$cache/lock"
  flock "$lock"
  if [[ ! -f "$cache/vmlinux" ||
    "${JGIN_SOFT_ROCE_KERNEL:-$(cat "$cache/package" 2>/dev/null)}" != "$(cat "$cache/package" 2>/dev/null)" ]]; then
    fetch_kernel "$cache"
  fi
  if [[ "$(initrd_key)" != "$(cat "$cache/initrd.key" 2>/dev/null)" ]]; then
    say "soft-roce: packing the guest's initrd"
    pack_initrd "$cache"
    initrd_key >"$cache/initrd.key"
  fi
  exec {lock}>&-
}

fetch_kernel() {
  local cache="$1" package archives images
  has_program apt-get && has_program dpkg ||
    fail "soft-roce takes its kernel from Debian's packages, and there is no apt-get or dpkg here"
  package="$(kernel_package)"
  rm -rf "$cache/kernel" "$cache/vmlinux" "$cache/initrd.key"
  mkdir -p "$cache/kernel/download"
  if ! download_kernel "$cache/kernel/download" "$package"; then
    # Old package lists name a kernel that the archive has replaced, fresh machines have no lists.
    [[ "$(id -u)" == 0 ]] && apt-get update -qq >&2 && package="$(kernel_package)" &&
      download_kernel "$cache/kernel/download" "$package" ||
      fail "cannot download the kernel package '$package'; run apt-get update as root, or name a" \
        "kernel package of the distribution in JGIN_SOFT_ROCE_KERNEL"
  fi
  archives=("$cache/kernel/download"/*.deb)
  dpkg -x "${archives[0]}" "$cache/kernel"
  rm -rf "$cache/kernel/download"
  images=("$cache"/kernel/boot/vmlinuz-*)
  [[ -f "${images[0]}" ]] || fail "$package holds no boot/vmlinuz-*"
  extract_vmlinux "${images[0]}" "$cache/vmlinux.part"
  printf '%s\n' "$package" >"$cache/package"
  mv "$cache/vmlinux.part" "$cache/vmlinux"
}

# download_kernel FOLDER PACKAGE
download_kernel() {
  [[ -n "$2" ]] || return 1
  say "soft-roce: fetching $2"
  (cd "$1" && apt-get download -qq -o APT::Sandbox::User=root "$2" >&2)
}

# extract_vmlinux IMAGE TO: the kernel as an ELF file, which QEMU starts at its PVH entry: under TCG
# that saves the 8 seconds in which the image would unpack itself.
extract_vmlinux() {
  local image="$1" to="$2" entry magic tool offset
  for entry in 'xz:\xfd7zXZ\x00' 'zstd:\x28\xb5\x2f\xfd' 'lz4:\x02!L\x18' 'gzip:\x1f\x8b\x08'; do
    tool="${entry%%:*}"
    magic="${entry#*:}"
    command -v "$tool" >/dev/null || continue
    while IFS=: read -r offset _; do
      # The stream is followed by other bytes, about which the tool complains.
      tail -c "+$((offset + 1))" "$image" | "$tool" -dcq >"$to" 2>/dev/null || true
      if [[ "$(head -c 4 "$to" | tail -c 3)" == ELF ]]; then return; fi
    done < <(LC_ALL=C grep -aboP "$magic" "$image" | cut -d: -f1)
  done
  rm -f "$to"
  fail "cannot unpack the kernel in $image (tried xz, zstd, lz4, gzip where installed)"
}

initrd_key() {
  { printf '%s\n' "${SOFT_ROCE_MODULES[@]}" "${SOFT_ROCE_EXTRA_MODULES[@]}" &&
    cat "$SOFT_ROCE_LIB/packages.sh" "$SOFT_ROCE_LIB/guest/init" "$(command -v busybox)"; } |
    sha256sum | cut -d' ' -f1
}

# pack_initrd CACHE: busybox, the first process and the closure of the modules, uncompressed.
pack_initrd() {
  local cache="$1" modules version tree module path name
  tree="$cache/initrd"
  modules=("$cache"/kernel/{,usr/}lib/modules/*/)
  for path in "${modules[@]}"; do if [[ -d "$path/kernel" ]]; then modules=("${path%/}"); fi; done
  version="$(basename "${modules[0]}")"
  rm -rf "$tree"
  mkdir -p "$tree"/{bin,proc,sys,dev,lower,upper,root} "$tree/lib/modules/$version"
  cp "$(command -v busybox)" "$tree/bin/busybox"
  cp "$SOFT_ROCE_LIB/guest/init" "$tree/init"
  cp "${modules[0]}"/modules.{builtin,builtin.modinfo,order} "$tree/lib/modules/$version/"

  module_root="${modules[0]%/lib/modules/*}"
  if [[ ! -f "${modules[0]}/modules.dep" ]]; then depmod -b "$module_root" "$version"; fi
  for module in "${SOFT_ROCE_MODULES[@]}" "${SOFT_ROCE_EXTRA_MODULES[@]}"; do
    modprobe -d "$module_root" -S "$version" --show-depends "$module" 2>/dev/null ||
      [[ " ${SOFT_ROCE_MODULES[*]} " != *" $module "* ]] || fail "kernel $version has no module $module"
  done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | sort -u | while read -r path; do
    name="$(basename "$path")"
    case "$name" in
      *.xz) xz -dc "$path" >"$tree/lib/modules/$version/${name%.xz}" ;;
      *.zst) zstd -dcq "$path" >"$tree/lib/modules/$version/${name%.zst}" ;;
      *) cp "$path" "$tree/lib/modules/$version/" ;;
    esac
  done
  depmod -b "$tree" "$version"
  (cd "$tree" && find . | cpio -o -H newc --quiet --owner 0:0 | gzip -1) >"$cache/initrd.part"
  printf '%s\n' "$version" >"$cache/version"
  rm -rf "$tree"
  mv "$cache/initrd.part" "$cache/initrd.cpio.gz"
}
