#include "textflag.h"

// func prefetch(words []uint64, at []uint64)
TEXT ·prefetch(SB), NOSPLIT, $0-48
	MOVQ words_base+0(FP), AX
	MOVQ at_base+24(FP), BX
	MOVQ at_len+32(FP), CX
	LEAQ (BX)(CX*8), CX
	JMP  more

next:
	MOVQ       (BX), DX
	PREFETCHT0 (AX)(DX*8)
	ADDQ       $8, BX

more:
	CMPQ BX, CX
	JB   next
	RET
