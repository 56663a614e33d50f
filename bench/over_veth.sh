#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/over_veth.sh RAMJET [NAME...]   the benchmarks between machines over a pair of virtual
# Ethernet devices: each rank in a network namespace of its own. As root. More options of
# `ramjet bench`, such as --json, may stand among the names.
set -euo pipefail

if [[ ${RAMJET_NODE:-} && ${RAMJET_VETH:-} ]]; then  # started by the launcher, as a rank's wrapper
  exec ip netns exec "$RAMJET_VETH-$RAMJET_NODE" env RAMJET_INTERFACE=eth0 "$@"
fi

(($# >= 1)) || { echo "usage: $0 RAMJET [NAME...]" >&2; exit 2; }
ramjet=$1
shift
[[ $# -gt 0 ]] || set -- net_round_trip net_rate net_bandwidth_64k net_bandwidth_1m \
  net_gas_get_group_16 net_kmer net_histogram_agg_1e6 net_bfs_18 net_exchange_keys
export RAMJET_VETH=ramjet-$$
hosts=()
clean_up() {
  for host in "${hosts[@]}"; do ip netns del "$host"; done
}
trap clean_up EXIT
for node in 0 1; do
  ip netns add "$RAMJET_VETH-$node" || {
    echo "$0: network namespaces are not permitted" >&2
    exit 77
  }
  hosts+=("$RAMJET_VETH-$node")
done
ip link add eth0 netns "${hosts[0]}" type veth peer name eth0 netns "${hosts[1]}"
for node in 0 1; do
  ip -n "${hosts[node]}" address add "10.211.0.$((node + 1))/24" dev eth0
  ip -n "${hosts[node]}" link set lo up
  ip -n "${hosts[node]}" link set eth0 up
done
"$ramjet" bench --wrapper "$0" "$@"
