#include "go_asm.h"
#include "textflag.h"

// The salts for lanes of 32 bits.
DATA splitSalts<>+0(SB)/4, $const_salt0
DATA splitSalts<>+4(SB)/4, $const_salt1
DATA splitSalts<>+8(SB)/4, $const_salt2
DATA splitSalts<>+12(SB)/4, $const_salt3
DATA splitSalts<>+16(SB)/4, $const_salt4
DATA splitSalts<>+20(SB)/4, $const_salt5
DATA splitSalts<>+24(SB)/4, $const_salt6
DATA splitSalts<>+28(SB)/4, $const_salt7
GLOBL splitSalts<>(SB), RODATA|NOPTR, $32

// The salts for lanes of 64 bits: those of the first four words in the lower halves of the lanes of a
// register, those of the last four in the upper ones.
DATA lineSalts<>+0(SB)/4, $const_salt0
DATA lineSalts<>+4(SB)/4, $const_salt4
DATA lineSalts<>+8(SB)/4, $const_salt1
DATA lineSalts<>+12(SB)/4, $const_salt5
DATA lineSalts<>+16(SB)/4, $const_salt2
DATA lineSalts<>+20(SB)/4, $const_salt6
DATA lineSalts<>+24(SB)/4, $const_salt3
DATA lineSalts<>+28(SB)/4, $const_salt7
GLOBL lineSalts<>(SB), RODATA|NOPTR, $32

DATA splitOnes<>+0(SB)/8, $0x100000001
DATA splitOnes<>+8(SB)/8, $0x100000001
DATA splitOnes<>+16(SB)/8, $0x100000001
DATA splitOnes<>+24(SB)/8, $0x100000001
GLOBL splitOnes<>(SB), RODATA|NOPTR, $32

DATA lineOnes<>+0(SB)/8, $1
DATA lineOnes<>+8(SB)/8, $1
DATA lineOnes<>+16(SB)/8, $1
DATA lineOnes<>+24(SB)/8, $1
GLOBL lineOnes<>(SB), RODATA|NOPTR, $32

// PLACE turns hash r into the offset of its block: (r>>32) * blocks >> 32 << shift.
#define PLACE(r, blocks, shift) \
	SHRQ  $32, r    \
	IMULQ blocks, r \
	SHRQ  $32, r    \
	SHLQ  shift, r

// SPLITBITS turns 8 copies x of the lower half of a hash into its bits in lanes of 32: x*salt>>27.
#define SPLITBITS(x, salts) \
	VPMULLD salts, x, x \
	VPSRLD  $27, x, x

// LINEBITS turns 8 copies x of the lower half of a hash into its bits in lanes of 64, x*salt>>26: those
// of the first four words stay in x, those of the last four go to y.
#define LINEBITS(x, y, salts) \
	VPMULLD salts, x, x \
	VPSRLQ  $58, x, y   \
	VPSLLQ  $32, x, x   \
	VPSRLQ  $58, x, x

// SPLITHAS shifts the bits x of a block to the end of each lane, where ones looks for them: the carry
// flag is set if all are there.
#define SPLITHAS(block, x, y, ones) \
	VMOVDQU block, y   \
	VPSRLVD x, y, y    \
	VPTEST  ones, y

// LINEHAS does so for the two halves of a line.
#define LINEHAS(low, high, x, y, u, v, ones) \
	VMOVDQU low, u     \
	VMOVDQU high, v    \
	VPSRLVQ x, u, u    \
	VPSRLVQ y, v, v    \
	VPAND   u, v, u    \
	VPTEST  ones, u

// func setAVX2(f *Filter, h uint64)
TEXT ·setAVX2(SB), NOSPLIT, $0-16
	MOVQ         f+0(FP), AX
	MOVQ         h+8(FP), CX
	MOVQ         Filter_words(AX), DX
	VPBROADCASTD h+8(FP), Y0
	CMPQ         Filter_size(AX), $const_splitWords
	JNE          line
	PLACE(CX, Filter_blocks(AX), $5)
	SPLITBITS(Y0, splitSalts<>(SB))
	VMOVDQU      splitOnes<>(SB), Y1
	VPSLLVD      Y0, Y1, Y0
	VPOR         (DX)(CX*1), Y0, Y0
	VMOVDQU      Y0, (DX)(CX*1)
	VZEROUPPER
	RET

line:
	PLACE(CX, Filter_blocks(AX), $6)
	LINEBITS(Y0, Y1, lineSalts<>(SB))
	VMOVDQU lineOnes<>(SB), Y2
	VPSLLVQ Y0, Y2, Y0
	VPSLLVQ Y1, Y2, Y1
	VPOR    (DX)(CX*1), Y0, Y0
	VPOR    32(DX)(CX*1), Y1, Y1
	VMOVDQU Y0, (DX)(CX*1)
	VMOVDQU Y1, 32(DX)(CX*1)
	VZEROUPPER
	RET

// func hasAVX2(f *Filter, h uint64) bool
TEXT ·hasAVX2(SB), NOSPLIT, $0-17
	MOVQ         f+0(FP), AX
	MOVQ         h+8(FP), CX
	MOVQ         Filter_words(AX), DX
	VPBROADCASTD h+8(FP), Y0
	CMPQ         Filter_size(AX), $const_splitWords
	JNE          line
	PLACE(CX, Filter_blocks(AX), $5)
	SPLITBITS(Y0, splitSalts<>(SB))
	SPLITHAS((DX)(CX*1), Y0, Y1, splitOnes<>(SB))
	SETCS        ret+16(FP)
	VZEROUPPER
	RET

line:
	PLACE(CX, Filter_blocks(AX), $6)
	LINEBITS(Y0, Y1, lineSalts<>(SB))
	LINEHAS((DX)(CX*1), 32(DX)(CX*1), Y0, Y1, Y2, Y3, lineOnes<>(SB))
	SETCS ret+16(FP)
	VZEROUPPER
	RET

// func testAVX2(f *Filter, hashes []uint64, held []bool)
TEXT ·testAVX2(SB), NOSPLIT, $0-56
	MOVQ f+0(FP), AX
	MOVQ hashes_base+8(FP), SI
	MOVQ hashes_len+16(FP), R9
	MOVQ held_base+32(FP), DI
	LEAQ (SI)(R9*8), R9
	MOVQ Filter_words(AX), DX
	MOVQ Filter_blocks(AX), BX
	CMPQ Filter_size(AX), $const_splitWords
	JNE  line
	VMOVDQU splitSalts<>(SB), Y4
	VMOVDQU splitOnes<>(SB), Y5

splitNext:
	CMPQ         SI, R9
	JAE          done
	MOVQ         (SI), CX
	VPBROADCASTD (SI), Y0
	PLACE(CX, BX, $5)
	SPLITBITS(Y0, Y4)
	SPLITHAS((DX)(CX*1), Y0, Y1, Y5)
	SETCS        (DI)
	ADDQ         $8, SI
	INCQ         DI
	JMP          splitNext

line:
	VMOVDQU lineSalts<>(SB), Y4
	VMOVDQU lineOnes<>(SB), Y5

lineNext:
	CMPQ         SI, R9
	JAE          done
	MOVQ         (SI), CX
	VPBROADCASTD (SI), Y0
	PLACE(CX, BX, $6)
	LINEBITS(Y0, Y1, Y4)
	LINEHAS((DX)(CX*1), 32(DX)(CX*1), Y0, Y1, Y2, Y3, Y5)
	SETCS        (DI)
	ADDQ         $8, SI
	INCQ         DI
	JMP          lineNext

done:
	VZEROUPPER
	RET

// func prefetch(f *Filter, hashes []uint64)
TEXT ·prefetch(SB), NOSPLIT, $0-32
	MOVQ f+0(FP), AX
	MOVQ hashes_base+8(FP), SI
	MOVQ hashes_len+16(FP), R9
	LEAQ (SI)(R9*8), R9
	MOVQ Filter_words(AX), DX
	MOVQ Filter_blocks(AX), BX
	MOVQ Filter_size(AX), R8
	SHLQ $3, R8

next:
	CMPQ       SI, R9
	JAE        done
	MOVQ       (SI), CX
	PLACE(CX, BX, $0)
	IMULQ      R8, CX
	PREFETCHT0 (DX)(CX*1)
	ADDQ       $8, SI
	JMP        next

done:
	RET
