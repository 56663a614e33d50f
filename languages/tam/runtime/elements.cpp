// SPDX-License-Identifier: Apache-2.0
// An element with one deferred fetch holds the name that it replies to. An element with a take or
// several fetches holds the address of a list.
#include "languages/tam/runtime/elements.hpp"

#include <algorithm>
#include <memory>
#include <new>

#include "languages/tam/runtime/arrays.hpp"
#include "languages/tam/runtime/messages.hpp"
#include "languages/tam/runtime/node_heap.hpp"
#include "languages/tam/runtime/polled_elements.hpp"
#include "languages/tam/runtime/regions.hpp"
#include "languages/tam/runtime/remote.hpp"
#include "languages/tam/runtime/spread.hpp"

namespace ramjet::tam {
namespace {

// A deferred fetch or take. A list is a ring, known by its youngest member, whose next is the
// oldest one.
struct deferred {
  tam_name reply;
  deferred* next;  // or among the free ones
  bool takes;
};
constexpr std::size_t kDeferredAtOnce = 1024;
deferred* free_deferred = nullptr;
std::vector<std::unique_ptr<deferred[]>> all_deferred;

deferred* new_deferred(tam_name reply, bool takes) {
  if (free_deferred == nullptr) {
    try {
      all_deferred.push_back(std::make_unique<deferred[]>(kDeferredAtOnce));
    } catch (const std::bad_alloc&) {
      stop("no memory for the fetches that wait for their elements");
    }
    for (std::size_t i = 0; i < kDeferredAtOnce; ++i) {
      all_deferred.back()[i].next = free_deferred;
      free_deferred = &all_deferred.back()[i];
    }
  }
  deferred* d = free_deferred;
  free_deferred = d->next;
  *d = {reply, d, takes};
  return d;
}

void free_one(deferred* d) {
  d->next = free_deferred;
  free_deferred = d;
}

deferred* list_of(tam_word value) { return reinterpret_cast<deferred*>(value); }
tam_word word_of(deferred* youngest) { return reinterpret_cast<tam_word>(youngest); }

// Behind the youngest; null: an empty list. Returns the new youngest.
deferred* append(deferred* youngest, deferred* d) {
  if (youngest != nullptr) {
    d->next = youngest->next;
    youngest->next = d;
  }
  return d;
}

void send_word(tam_name to, tam_word word, caller by) {
  if (tam_is_own(to))
    deliver_word(to, word);
  else
    send(to, {&word, 1}, by);
}

// A take of an empty element, or a fetch behind others.
[[gnu::noinline]] void defer_in_list(const element_place& e, tam_name reply, bool takes) {
  deferred* list = e.tag == TAM_READERS      ? list_of(e.value)
                   : e.tag == TAM_ONE_READER ? new_deferred(e.value, false)
                                             : nullptr;
  e.value = word_of(append(list, new_deferred(reply, takes)));
  e.tag = TAM_READERS;
}

void set_present(const element_place& e, tam_word word) {
  e.value = word;
  __atomic_store_n(&e.tag, static_cast<unsigned char>(TAM_PRESENT),
                   __ATOMIC_RELEASE);  // pairs: tam.element
}

// Gives the word to those who waited, up to the first take. A thread's sends may handle messages
// for the same element: it is as they shall find it before the first of them.
[[gnu::noinline]] void serve_list(const element_place& e, deferred* youngest, tam_word word,
                                  caller by) {
  deferred* const oldest = youngest->next;
  deferred* last = oldest;
  while (!last->takes && last != youngest) last = last->next;
  if (!last->takes) {
    set_present(e, word);
  } else if (last == youngest) {
    e.tag = TAM_EMPTY;
  } else {
    youngest->next = last->next;  // those behind the take wait on: the element has their list
  }
  last->next = nullptr;
  for (deferred* d = oldest; d != nullptr;) {
    const tam_name reply = d->reply;
    deferred* const next = d->next;
    free_one(d);
    send_word(reply, word, by);
    d = next;
  }
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_second(const element_place& e, tam_word index,
                                                          const char* site) {
  const std::string which = element_text(e.head, whole_index(e.head, index));
  const char mark = *marked_site_of(e.head);
  if (mark >= *TAM_M_BOUNDS0 && mark <= *TAM_M_BOUNDS2)
    stop("%s: a put into the full %s of the M-structure made at %s", site, which.c_str(),
         site_of(e.head));
  stop("%s: %s of the array made at %s is stored a second time", site, which.c_str(),
       site_of(e.head));
}

inline void fetch_element(const element_place& e, tam_name reply, bool takes, caller by) {
  if (e.tag == TAM_EMPTY && !takes) {
    e.value = reply;
    e.tag = TAM_ONE_READER;
  } else if (e.tag == TAM_PRESENT) {
    if (takes) e.tag = TAM_EMPTY;
    send_word(reply, e.value, by);
  } else {
    defer_in_list(e, reply, takes);
  }
}

inline void fill_element(const element_place& e, tam_word index, tam_word word, const char* site,
                         caller by) {
  const unsigned char before = e.tag;
  const tam_word waiting = e.value;
  if (before == TAM_PRESENT) [[unlikely]]
    refuse_second(e, index, site);
  if (before == TAM_READERS) return serve_list(e, list_of(waiting), word, by);
  set_present(e, word);
  if (before == TAM_ONE_READER) send_word(waiting, word, by);
}

}  // namespace

void fetch(tam_array a, tam_word index, tam_name reply, bool takes, const char* site, caller by) {
  fetch_element(checked_element(a, index, site), reply, takes, by);
}

void fill(tam_array a, tam_word index, tam_word word, const char* site, caller by) {
  fill_element(checked_element(a, index, site), index, word, site, by);
}

namespace {

// Of an array that ranks share.
element_place near_element(tam_array a, tam_word index, const char* site) {
  tam_array_head* head = near_array(a);
  if (head == nullptr || !is_shared(head)) refuse_array(a, site);
  return checked_element(head, index, site);
}

}  // namespace

void fetch_shared(tam_array a, tam_word index, tam_name reply, const char* site, caller by) {
  const element_place e = near_element(a, index, site);
  const int keeper = keeper_of(e.head, index);
  if (keeper != tam_rank_of(tam_here.own)) {
    if (by == caller::handler || !poll_element(a, e, index, reply, site))
      fetch_shared_at(keeper, a, index, reply, site, by);
    return;
  }
  fetch_element(e, reply, false, by);
  if (e.tag != TAM_PRESENT) note_deferred(e.head);
}

void fill_shared(tam_array a, tam_word index, tam_word word, const char* site, caller by) {
  const element_place e = near_element(a, index, site);
  const int keeper = keeper_of(e.head, index);
  if (keeper != tam_rank_of(tam_here.own)) return fill_shared_at(keeper, a, index, word, site, by);
  note_kept(e.head, index);
  fill_element(e, index, word, site, by);
}

namespace {

void add_waiting_at(tam_array_head* head, void* with) {
  auto& all = *static_cast<std::vector<waiting_fetch>*>(with);
  for (tam_word i = 0; i < head->length; ++i) {
    const tam_word value = tam_values(head)[i];
    const unsigned char tag = tam_tags(head)[i];
    if (tag < TAM_ONE_READER ||
        (is_shared(head) && keeper_of(head, i) != tam_rank_of(tam_here.own)))
      continue;
    if (tag == TAM_ONE_READER) {
      all.push_back({head, whole_index(head, i), value, false});
      continue;
    }
    const deferred* d = list_of(value);
    do {
      d = d->next;
      all.push_back({head, whole_index(head, i), d->reply, d->takes});
    } while (d != list_of(value));
  }
}

}  // namespace

void clear_deferred() noexcept {
  all_deferred.clear();
  free_deferred = nullptr;
}

std::vector<waiting_fetch> waiting_fetches() {
  std::vector<waiting_fetch> all;
  each_plain_array(add_waiting_at, &all);
  each_part(add_waiting_at, &all);
  each_in_regions(add_waiting_at, &all);
  each_deferred_at(add_waiting_at, &all);
  return all;
}

namespace {

inline void fetch_anywhere(tam_array a, tam_word index, tam_name reply, bool takes,
                           const char* site) {
  if (is_spread(a)) {
    const element e = element_of(a, index, site);
    a = e.part;
    index = e.index;
  }
  tam_word word;
  if (tam_is_own_array(a))
    fetch_element(checked_element(a, index, site), reply, takes, caller::thread);
  else if (!takes && tam_is_near_array(a) && tam_ipresent_in(tam_array_of(a), index, &word))
    send_word(reply, word, caller::thread);
  else if (is_shared(a) && near_array(a) != nullptr)
    fetch_shared(a, index, reply, site, caller::thread);
  else
    fetch_far(a, index, reply, takes, site);
}

}  // namespace

}  // namespace ramjet::tam

using namespace ramjet::tam;

tam_array tam_ialloc(tam_word length, const char* site) {
  return tam_here.own | reinterpret_cast<tam_array>(new_array(length, site));
}

void tam_ifetch_slow(tam_lcv, tam_array a, tam_word index, tam_name reply, const char* site) {
  fetch_anywhere(a, index, reply, false, site);
}

void tam_mtake_slow(tam_lcv, tam_array a, tam_word index, tam_name reply, const char* site) {
  if (is_shared(a)) stop("%s: elements of an array that ranks share are not taken", site);
  fetch_anywhere(a, index, reply, true, site);
}

void tam_istore_slow(tam_lcv, tam_array a, tam_word index, tam_word value, const char* site) {
  if (is_spread(a)) {
    const element e = element_of(a, index, site);
    a = e.part;
    index = e.index;
  }
  if (tam_is_own_array(a))
    fill_element(checked_element(a, index, site), index, value, site, caller::thread);
  else if (is_shared(a) && near_array(a) != nullptr)
    fill_shared(a, index, value, site, caller::thread);
  else
    fill_far(a, index, value, site);
}

void tam_mput_slow(tam_lcv lcv, tam_array a, tam_word index, tam_word value, const char* site) {
  tam_istore_slow(lcv, a, index, value, site);
}

void tam_length_slow(tam_lcv, tam_array a, tam_name reply, const char* site) {
  if (is_spread(a)) {
    const tam_word length = spread_length(a, site);
    send_word(reply, length, caller::thread);
  } else if (tam_is_own_array(a)) {
    send_word(reply, checked_array(a, site)->length, caller::thread);
  } else if (const tam_array_head* head = near_array(a); head != nullptr) {
    send_word(reply, head->length, caller::thread);
  } else {
    length_far(a, reply, site);
  }
}
