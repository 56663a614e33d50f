/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RAMJET_TESTS_TAM_REFUSE_H
#define RAMJET_TESTS_TAM_REFUSE_H
#ifdef __cplusplus
extern "C" {
#endif
/* The next use of operator new in this process finds no memory. */
void refuse_memory_once(void);
#ifdef __cplusplus
}
#endif
#endif
