#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# by_node.sh NETWORKS... -- PROGRAM [ARGUMENT]...
#
# Runs a rank's program with the networks of its node: the first list is node 0's, and so on; the
# last one is that of all further nodes.
node=${RAMJET_NODE:?runs below: ramjet run --nodes}
while [ "$1" != -- ]; do
  if [ "$node" -ge 0 ]; then RAMJET_NETWORK=$1; fi
  node=$((node - 1))
  shift
done
shift
export RAMJET_NETWORK
exec "$@"
