# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Lays out a job folder, boots the guest over it and ends what it started. Needs common.sh, and the
# variables that scripts/soft-roce makes of its options.
# shellcheck disable=SC2154

# Prints kvm or tcg. The device alone says too little: under some hypervisors /dev/kvm opens, and then
# an ordinary kernel hangs in it; a processor with vmx or svm runs one.
choose_accelerator() {
  if [[ -r /dev/kvm && -w /dev/kvm ]] && grep -qwE 'vmx|svm' /proc/cpuinfo; then echo kvm; else echo tcg; fi
}

# prepare_job JOB: what guest/start reads. The caller's command, folder and a small set of variables.
prepare_job() {
  local job="$1" name
  cp "$SOFT_ROCE_LIB"/guest/{start,rxe-path} "$job/"
  {
    printf 'DEVICES=%q\nDIRECTORY=%q\n' "$devices" "$PWD"
    printf 'COMMAND=('
    printf ' %q' "${command[@]}"
    printf ' )\n'
  } >"$job/settings"
  {
    while read -r name; do printf '%s=%q\n' "$name" "${!name}"; done < <(passed_variables)
    printf 'JGIN_SOFT_ROCE=guest\nJGIN_RXE_PATH=/run/job/rxe-path\nJGIN_JOB=/run/job/files\n'
    # Under TCG the JVM starts three times as fast with one compiler and one collector thread.
    printf 'JGIN_JAVA_OPTS=%q\n' "${JGIN_JAVA_OPTS--XX:TieredStopAtLevel=1 -XX:+UseSerialGC}"
    # The archive of classes suits any processor, but making one here takes longer than it saves.
    printf 'JGIN_STARTUP=%q\n' "${JGIN_STARTUP:-use}"
  } >"$job/environment"
  mkdir "$job/files"
  mkfifo "$job/out" "$job/err"
}

# The variables that the guest gets, by name: these, every JGIN_*, and the ones asked for by --env.
passed_variables() {
  local name
  for name in PATH HOME LANG LC_ALL TERM CI JAVA_HOME $(compgen -e JGIN_) ${passed[@]+"${passed[@]}"}; do
    if [[ -v "$name" ]]; then printf '%s\n' "$name"; fi
  done | sort -u
}

# qemu_command JOB CACHE: sets the array QEMU.
# shellcheck disable=SC2054
qemu_command() {
  local job="$1" cache="$2" append
  append="console=ttyS0 quiet panic=-1 mitigations=off nokaslr nowatchdog cryptomgr.notests"
  append+=" random.trust_cpu=on 8250.nr_uarts=1"
  QEMU=(qemu-system-x86_64 -no-user-config -nodefaults -display none -no-reboot
    -m "$memory" -smp "$processors" -net none)
  if [[ "$accelerator" == kvm ]]; then
    QEMU+=(-M q35 -accel kvm -cpu host)
  else
    # Without address randomisation the translated code of one process serves the next: a warm
    # `java -version` takes a third of the time. Nehalem: no AVX, which TCG is slow at or lacks.
    append+=" norandmaps"
    QEMU+=(-M q35,smm=off,vmport=off -accel tcg,thread=multi,tb-size=1024 -cpu Nehalem)
  fi
  QEMU+=(-kernel "$cache/vmlinux" -initrd "$cache/initrd.cpio.gz" -append "$append"
    -fsdev "local,id=hostroot,path=/,security_model=none,readonly=on,multidevs=remap"
    -device virtio-9p-pci,fsdev=hostroot,mount_tag=hostroot
    -fsdev "local,id=job,path=$job,security_model=none"
    -device virtio-9p-pci,fsdev=job,mount_tag=job
    -device virtio-rng-pci
    -chardev "file,id=console,path=$job/console" -serial chardev:console
    -device virtio-serial-pci
    -chardev "file,id=out,path=$job/out" -device virtserialport,chardev=out,name=out
    -chardev "file,id=err,path=$job/err" -device virtserialport,chardev=err,name=err)
}

# boot JOB: runs QEMU to its end. Sets BOOT_STATUS to its exit status, or to 124 if time ran out.
boot() {
  local job="$1" guard=() qemu readers=()
  # If this script is killed hard, the kernel ends the guest.
  if setpriv --pdeathsig TERM true 2>/dev/null; then guard=(setpriv --pdeathsig TERM); fi
  cat "$job/out" &
  readers+=($!)
  cat "$job/err" >&2 &
  readers+=($!)
  STARTED=("${readers[@]}")
  ${guard[@]+"${guard[@]}"} timeout -k 5 "$timeout_seconds" "${QEMU[@]}" </dev/null \
    >"$job/qemu.log" 2>&1 &
  qemu=$!
  STARTED+=("$qemu")
  await_start "$job" "$qemu"
  BOOT_STATUS=0
  { wait "$qemu" || BOOT_STATUS=$?; } 2>/dev/null # else bash tells which signal ended it
  if [[ "$BOOT_STATUS" == 137 ]]; then BOOT_STATUS=124; fi
  # The readers end when QEMU closes its side; one that QEMU never opened would wait for ever.
  if [[ ! -f "$job/started" ]]; then kill "${readers[@]}" 2>/dev/null || true; fi
  wait "${readers[@]}" 2>/dev/null || true
  STARTED=()
}

# await_start JOB PID: returns when the command has started or QEMU has ended; ends QEMU, and says why,
# if neither happens in time. A kernel that hangs early would otherwise use up the command's time.
await_start() {
  local job="$1" qemu="$2" deadline=$((SECONDS + boot_seconds))
  while [[ ! -f "$job/started" ]] && kill -0 "$qemu" 2>/dev/null; do
    if ((SECONDS > deadline)); then
      echo "the command had not started after $boot_seconds s" >"$job/problem"
      kill "$qemu"
      return
    fi
    sleep 0.05
  done
}

# Ends every process that boot started and is still there, and removes the job folder.
clean_up() {
  local process
  trap '' INT TERM
  for process in ${STARTED[@]+"${STARTED[@]}"}; do kill "$process" 2>/dev/null || true; done
  for process in ${STARTED[@]+"${STARTED[@]}"}; do wait "$process" 2>/dev/null || true; done
  STARTED=()
  if [[ -n "${JOB:-}" ]] && ! $keep; then rm -rf "$JOB"; fi
}
