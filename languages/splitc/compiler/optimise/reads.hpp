// SPDX-License-Identifier: Apache-2.0
// Blocking reads of shared memory in a part of a program, for the passes that fetch ahead.
#ifndef SPLITCC_OPTIMISE_READS_HPP
#define SPLITCC_OPTIMISE_READS_HPP

#include "languages/splitc/compiler/optimise/effects.hpp"
#include "languages/splitc/compiler/optimise/trees.hpp"

namespace splitcc {

// What is read, and its type as a value. `take` may put another node in the slot of the read, and
// returns whether it did.
using take_read = std::function<bool(node*& slot, node* lvalue, qualified_type type)>;

// Has each read in n taken. False if one is not done whenever n is, which is then not taken, or
// `take` refuses one: the tree is then changed in part.
bool take_reads(node*& n, const take_read& take);

// A scalar, neither volatile nor a bit-field: a get can fetch it.
bool is_fetched_by_get(const node* lvalue, qualified_type type);

// An address that is itself read from shared memory: a chain, which no pipeline shortens.
bool reads_below(const node* lvalue);

// Variables that this reads are named by pointers, or static.
bool reads_shared(const effects& e);

}  // namespace splitcc

#endif
