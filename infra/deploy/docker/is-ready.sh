#!/bin/bash
# Whether the service in this container answers that it is ready; without a Node, of which every check would start one.
exec 3<> "/dev/tcp/127.0.0.1/${HEALTH_PORT:-9090}"
printf 'GET /ready HTTP/1.0\r\n\r\n' >&3
read -r -t 5 _ status _ <&3
[ "$status" = 200 ]
