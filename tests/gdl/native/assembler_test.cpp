// SPDX-License-Identifier: MIT
#include "gdl/native/assembler.h"

#include <gtest/gtest.h>

namespace ludens::gdl::native {
namespace {

using Bytes = std::vector<std::uint8_t>;

template <typename Write>
Bytes encoded(std::size_t bits, Write write) {
  Assembler code(bits);
  write(code);
  return code.bytes();
}

// The expected bytes are those of the GNU assembler.

TEST(Assembler512, MovesBetweenRegistersAndMemory) {
  EXPECT_EQ(encoded(512,
                    [](Assembler& a) {
                      a.load(17, {Pointer::Rdi, -0x2000});
                    }),
            (Bytes{0x62, 0xe1, 0xfd, 0x48, 0x6f, 0x4f, 0x80}));
  EXPECT_EQ(encoded(512,
                    [](Assembler& a) {
                      a.store({Pointer::Rdi, 0x1fc0}, 3);
                    }),
            (Bytes{0x62, 0xf1, 0xfd, 0x48, 0x7f, 0x5f, 0x7f}));
  EXPECT_EQ(encoded(512,
                    [](Assembler& a) {
                      a.load(8, {Pointer::R13, 0x40});
                    }),
            (Bytes{0x62, 0x51, 0xfd, 0x48, 0x6f, 0x45, 0x01}));
  EXPECT_EQ(encoded(512, [](Assembler& a) { a.move(31, 2); }),
            (Bytes{0x62, 0x61, 0xfd, 0x48, 0x6f, 0xfa}));
}

TEST(Assembler512, CombinesTwoOperands) {
  EXPECT_EQ(encoded(512, [](Assembler& a) { a.bitwise(Bitwise::And, 1, 2, Address{}); }),
            (Bytes{0x62, 0xf1, 0x6d, 0x48, 0xdb, 0x0f}));
  EXPECT_EQ(encoded(512, [](Assembler& a) { a.bitwise(Bitwise::AndNot, 20, 30, 9); }),
            (Bytes{0x62, 0xc1, 0x0d, 0x40, 0xdf, 0xe1}));
  EXPECT_EQ(encoded(512,
                    [](Assembler& a) {
                      a.bitwise(Bitwise::Or, 1, 2, Address{Pointer::Rbx, 0x4000});
                    }),
            (Bytes{0x62, 0xf1, 0x6d, 0x48, 0xeb, 0x8b, 0x00, 0x40, 0x00, 0x00}));
  EXPECT_EQ(encoded(512, [](Assembler& a) { a.bitwise(Bitwise::Xor, 9, 16, 24); }),
            (Bytes{0x62, 0x11, 0x7d, 0x40, 0xef, 0xc8}));
}

TEST(Assembler512, CountsShortDisplacementsInRegisters) {
  EXPECT_EQ(encoded(512,
                    [](Assembler& a) {
                      a.bitwise(Bitwise::And, 1, 2, Address{Pointer::Rdi, 0x21});
                    }),
            (Bytes{0x62, 0xf1, 0x6d, 0x48, 0xdb, 0x8f, 0x21, 0x00, 0x00, 0x00}));
}

TEST(Assembler512, CombinesThreeOperands) {
  EXPECT_EQ(encoded(512,
                    [](Assembler& a) {
                      a.ternary(4, 5, Address{Pointer::Rax, 0x80}, 0xca);
                    }),
            (Bytes{0x62, 0xf3, 0x55, 0x48, 0x25, 0x60, 0x02, 0xca}));
  EXPECT_EQ(encoded(512, [](Assembler& a) { a.ternary(18, 27, 11, 0x96); }),
            (Bytes{0x62, 0xc3, 0x25, 0x40, 0x25, 0xd3, 0x96}));
  EXPECT_EQ(encoded(512, [](Assembler& a) { a.all_ones(0); }),
            (Bytes{0x62, 0xf3, 0x7d, 0x48, 0x25, 0xc0, 0xff}));
}

TEST(Assembler256, MovesBetweenRegistersAndMemory) {
  EXPECT_EQ(encoded(256,
                    [](Assembler& a) {
                      a.load(7, {Pointer::Rdi, 0x1000});
                    }),
            (Bytes{0xc5, 0xfd, 0x6f, 0xbf, 0x00, 0x10, 0x00, 0x00}));
  EXPECT_EQ(encoded(256,
                    [](Assembler& a) {
                      a.store({Pointer::Rdi, 0x20}, 12);
                    }),
            (Bytes{0xc5, 0x7d, 0x7f, 0x67, 0x20}));
  EXPECT_EQ(encoded(256,
                    [](Assembler& a) {
                      a.load(11, {Pointer::R9, 0});
                    }),
            (Bytes{0xc4, 0x41, 0x7d, 0x6f, 0x19}));
  EXPECT_EQ(encoded(256, [](Assembler& a) { a.move(14, 3); }), (Bytes{0xc5, 0x7d, 0x6f, 0xf3}));
}

TEST(Assembler256, CombinesTwoOperands) {
  EXPECT_EQ(encoded(256, [](Assembler& a) { a.bitwise(Bitwise::And, 1, 2, 3); }),
            (Bytes{0xc5, 0xed, 0xdb, 0xcb}));
  EXPECT_EQ(encoded(256,
                    [](Assembler& a) {
                      a.bitwise(Bitwise::AndNot, 9, 15, Address{Pointer::Rdi, 0x60});
                    }),
            (Bytes{0xc5, 0x05, 0xdf, 0x4f, 0x60}));
  EXPECT_EQ(encoded(256, [](Assembler& a) { a.bitwise(Bitwise::Or, 1, 2, 13); }),
            (Bytes{0xc4, 0xc1, 0x6d, 0xeb, 0xcd}));
  EXPECT_EQ(encoded(256, [](Assembler& a) { a.bitwise(Bitwise::Xor, 4, 4, 4); }),
            (Bytes{0xc5, 0xdd, 0xef, 0xe4}));
  EXPECT_EQ(encoded(256, [](Assembler& a) { a.all_ones(15); }),
            (Bytes{0xc4, 0x41, 0x05, 0x76, 0xff}));
}

TEST(Assembler, WritesTheFrameOfAFunction) {
  EXPECT_EQ(
      encoded(512,
              [](Assembler& a) {
                a.push(Pointer::Rbx);
                a.push(Pointer::R14);
                a.lea(Pointer::R13, {Pointer::Rdi, -0x2000});
                a.lea(Pointer::R9, {Pointer::Rdi, 0x20});
                a.lea(Pointer::Rdi, {Pointer::Rdi, 0x2000});
                a.pop(Pointer::R15);
                a.pop(Pointer::Rbp);
                a.clear_upper_halves();
                a.ret();
              }),
      (Bytes{0x53, 0x41, 0x56, 0x4c, 0x8d, 0xaf, 0x00, 0xe0, 0xff, 0xff, 0x4c, 0x8d, 0x4f, 0x20,
             0x48, 0x8d, 0xbf, 0x00, 0x20, 0x00, 0x00, 0x41, 0x5f, 0x5d, 0xc5, 0xf8, 0x77, 0xc3}));
}

TEST(Assembler, AlignsWithInstructionsThatTrap) {
  Assembler code(512);
  code.ret();
  code.align(4);
  EXPECT_EQ(code.bytes(), (Bytes{0xc3, 0xcc, 0xcc, 0xcc}));
  code.align(4);
  EXPECT_EQ(code.bytes().size(), 4U);
}

}  // namespace
}  // namespace ludens::gdl::native
