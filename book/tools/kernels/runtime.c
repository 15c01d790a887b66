/* What compiled kernels ask of numba's runtime, of numpy's bit generators and of the compiler's
   own library, for 32-bit WebAssembly. Only `release` and the kernels are seen from outside. */
typedef long long i64;
typedef unsigned long long u64;
typedef unsigned int u32;
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern double tgamma(double), lgamma(double);
#define INSIDE __attribute__((visibility("hidden")))

/* As in numba's _nrt.c: what owns an array that a kernel has made. */
typedef struct {
    i64 n_references;
    void *destructor, *about, *data;
    i64 size;
} Owner;

INSIDE void *NRT_MemInfo_alloc_aligned(i64 size, u32 align) {
    if (size < 0 || size > 0x7fffffff) return 0;
    char *room = malloc(sizeof(Owner) + (u32)size + align);
    if (!room) return 0;
    Owner *owner = (Owner *)room;
    owner->n_references = 1;
    owner->destructor = owner->about = 0;
    owner->size = size;
    owner->data = (void *)(((u32)room + sizeof(Owner) + align - 1) / align * align);
    return owner;
}
INSIDE void *NRT_MemInfo_alloc(i64 size) { return NRT_MemInfo_alloc_aligned(size, 16); }
INSIDE void *NRT_Allocate(i64 size) { return malloc((u32)size); }
INSIDE void NRT_MemInfo_call_dtor(void *owner) { free(owner); }
INSIDE void NRT_Free(void *room) { free(room); }
__attribute__((visibility("default"))) void release(void *owner) { free(owner); }

/* numpy's bitgen_t. Numba calls its functions with a state of 64 bits. */
typedef struct {
    void *state;
    u64 (*next_uint64)(void *);
    u32 (*next_uint32)(void *);
    double (*next_double)(void *);
} Bits;
INSIDE double next_double(i64 at) { Bits *bits = (Bits *)(u32)at; return bits->next_double(bits->state); }
INSIDE u64 next_uint64(i64 at) { Bits *bits = (Bits *)(u32)at; return bits->next_uint64(bits->state); }
INSIDE u32 next_uint32(i64 at) { Bits *bits = (Bits *)(u32)at; return bits->next_uint32(bits->state); }

INSIDE double numba_gamma(double x) { return tgamma(x); }
INSIDE double numba_lgamma(double x) { return lgamma(x); }

/* 64 by 64 bits: the lower 128 of their product. */
typedef struct { u64 low, high; } U128;
INSIDE void __multi3(U128 *product, u64 a, u64 a_high, u64 b, u64 b_high) {
    u64 a0 = (u32)a, a1 = a >> 32, b0 = (u32)b, b1 = b >> 32;
    u64 p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
    u64 middle = (p00 >> 32) + (u32)p01 + (u32)p10;
    product->low = (middle << 32) | (u32)p00;
    product->high = p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32) + a * b_high + a_high * b;
}

/* As in numba's _helperlib.c, for arrays in C order: strides of a new shape without a copy. */
INSIDE int numba_attempt_nocopy_reshape(i64 n_axes, const i64 *lengths, const i64 *strides,
                                        i64 n_new, const i64 *new_lengths, i64 *new_strides,
                                        i64 n_bytes, int fortran) {
    i64 expected = n_bytes;
    for (i64 i = n_axes - 1; i >= 0; i--) {
        if (lengths[i] != 1 && strides[i] != expected) return 0;
        expected *= lengths[i];
    }
    if (fortran) return 0;
    expected = n_bytes;
    for (i64 i = n_new - 1; i >= 0; i--) {
        new_strides[i] = expected;
        expected *= new_lengths[i];
    }
    return 1;
}
