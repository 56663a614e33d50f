// SPDX-License-Identifier: Apache-2.0
// One rank's part of the graph: its nodes, the ghosts of the nodes of other ranks that its own
// depend on, and who needs which of its values as a ghost.
//
// For each kind a block in the symmetric heap, its places at the same address in every rank:
//
//   | own values, padded | ghosts of rank 0, padded | ghosts of rank 1, padded | ...
//
// The ghosts of one owner are in the order of their indices there. Padding is to whole lines: ranks
// that put ghosts here side by side never write the same line. Own values are padded to whole
// pages, so that what a processor fetches ahead of them is not a line which another rank is about
// to write. Ghosts of this rank do not exist.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "compute.hpp"
#include "graph.hpp"

namespace em3d {

struct far_edge {
  ramjet::global_ptr<const double> from;
  double weight;
};

// A ghost of this rank's, and the value that it stands for.
struct ghost {
  double* here;
  ramjet::global_ptr<const double> value;
};

// A value of this rank's that another rank has a ghost of.
struct wanted_value {
  const double* here;
  ramjet::global_ptr<double> ghost;
};

// All that one other rank wants: wanted[first .. first + count), whose ghosts there lie in a row.
struct parcel {
  std::size_t first;
  std::size_t count;
  ramjet::global_ptr<double> ghosts;
};

// All of one kind.
struct field {
  near_nodes nodes;  // every edge leads from this rank's memory
  std::vector<far_edge> far_edges;  // the same edges, from where the value really is
  std::vector<ghost> ghosts;  // of nodes of this kind, for the nodes of the other
  std::vector<wanted_value> wanted;  // by ghost owner, then by index here
  std::vector<parcel> parcels;  // every other rank that wants something, once
  std::vector<double> buffer;  // room for a copy of all wanted values
};

class part {
 public:
  // Collective. Throws measured::failure, in every rank, if some rank's segment has no room.
  explicit part(const graph& g);
  // Collective.
  ~part();
  part(const part&) = delete;
  part& operator=(const part&) = delete;

  // Sets this rank's values to the initial ones, and its ghosts to no number.
  void reset();

  field& of(kind k) { return fields_[std::size_t(k)]; }
  const field& of(kind k) const { return fields_[std::size_t(k)]; }

 private:
  using needs = std::vector<std::vector<std::uint32_t>>;  // by owner: indices, ascending

  // This rank's own block of a kind.
  double* block(kind k) const { return blocks_[std::size_t(k)].local(); }
  ramjet::global_ptr<const double> value_at(kind k, node_id node) const {
    return ramjet::global_ptr<double>(node.rank, block(k) + node.index);
  }
  needs needs_of(const std::vector<dependence>& edges) const;
  void allocate(kind k, const needs& wanted);
  void lay_ghosts(kind k, const needs& wanted);
  void exchange_wishes(kind k, const needs& wanted);
  void lay_edges(kind from, const std::vector<dependence>& edges, const needs& wanted);

  graph graph_;
  std::array<field, 2> fields_;
  std::array<ramjet::spread_ptr<double>, 2> blocks_;
  // By kind, then by owner: where its ghosts begin in the block.
  std::array<std::vector<std::size_t>, 2> ghosts_begin_;
  std::array<std::size_t, 2> block_doubles_ = {};
};

}  // namespace em3d
