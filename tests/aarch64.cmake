# SPDX-License-Identifier: Apache-2.0
# What the cross build for 64-bit ARM does not run under qemu's user mode, and why. Folders first:
#   apps, bench, budget, fuzz, leaving, model, net, networks, peers, tools, install,
#   compile_fail, tidy   have nothing that depends on the processor beyond what the folders unit,
#                        conformance, gas, splitcc and ult run, or measure the machine
#   gas                  but for ranks that die, which are emulators there
#   splitcc              but for the programs of each construct, compiled by an emulated splitcc
#   fault                its drivers count and kill the processes of a job, and would find qemu's
#   ult.gdb              gdb of this machine does not read the emulated program's threads
# Jobs of more than four ranks: an emulated rank takes some ten times as long.
# Single tests of the folders that do run are listed here; CTest shows each as disabled.
#   unit.am_audit, unit.am_calls  start themselves anew (death tests), which the kernel does for
#                        64-bit ARM only where qemu is registered with it
#   unit.channel_net_ofi_transport  wants a libfabric of arm64; and a process that sends itself a
#                        fatal signal ends there by SIGSEGV now and then, whatever it was
#   ult.misuse.deadlock  names of threads that lend their stacks are read with process_vm_readv,
#                        which qemu has not
set(ramjet_not_under_qemu ult.misuse.deadlock unit.channel_net_ofi_transport)
if(NOT EXISTS /proc/sys/fs/binfmt_misc/qemu-aarch64)
  list(APPEND ramjet_not_under_qemu unit.am_audit unit.am_calls)
endif()

# Called at the end of each folder: CMake changes a test only where it was added.
macro(ramjet_leave_out_what_qemu_cannot_run)
  if(CMAKE_CROSSCOMPILING)
    foreach(test IN LISTS ramjet_not_under_qemu)
      if(TEST ${test})
        set_tests_properties(${test} PROPERTIES DISABLED TRUE)
      endif()
    endforeach()
  endif()
endmacro()
