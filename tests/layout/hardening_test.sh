#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the release promises of its program: server/DEPLOYMENT.md, "Hardening". Argument: the program.
set -u
program=$1
failed=0
fail() { printf '%s: %s\n' "$program" "$1"; failed=1; }
header=$(readelf -hW "$program") && segments=$(readelf -lW "$program") || exit 3
dynamic=$(readelf -dW "$program")
symbols=$(readelf --dyn-syms -W "$program")
notes=$(readelf -nW "$program")
grep -q 'Type:.*DYN' <<<"$header" || fail "is not position-independent"
grep -q 'FLAGS_1.*PIE' <<<"$dynamic" || fail "is not marked as position-independent executable"
grep -q 'GNU_RELRO' <<<"$segments" || fail "has no RELRO segment"
grep -q 'BIND_NOW\|FLAGS_1.*NOW' <<<"$dynamic" || fail "binds lazily: RELRO is not full"
grep -q 'GNU_STACK.* RW ' <<<"$segments" || fail "may run code on its stack"
! grep -qE ' RWE ' <<<"$segments" || fail "has a segment that is writable and executable"
grep -q '__stack_chk_fail' <<<"$symbols" || fail "has no stack canaries"
grep -qE '__[a-z]+_chk(@|$)' <<<"$symbols" || fail "has no fortified calls of libc"
grep -q 'SHSTK' <<<"$notes" || fail "is not marked for a shadow stack (CET)"
# Debian's own startup files lack the mark for indirect branches, so that the linker can't give it
# to the program: our functions have their landing pads all the same.
entry=$(objdump -d --no-show-raw-insn --disassemble=main "$program" | grep -A1 '<main>:')
grep -q 'endbr64' <<<"$entry" || fail "has no landing pads for indirect branches (CET)"
[ $failed -eq 0 ] && echo "hardened as server/DEPLOYMENT.md says"
exit $failed
