#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# host_agent.sh HOST COMMAND...: what ssh is to other machines, for the hosts of hosts.py.
host=$1
shift
exec ip netns exec "$host" unshare -u sh -c "hostname $host; $*"
