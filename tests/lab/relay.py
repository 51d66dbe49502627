#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A connection that can be cut: relays TCP to HOST:PORT until it is killed.

usage: relay.py FILE HOST:PORT

FILE gets the port on 127.0.0.1, then a line "open" for each connection. SIGUSR1 cuts all that are open.
"""

import asyncio
import signal
import sys

pipes = set()


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.transport.abort()


async def serve(client_reader, client_writer, target, log):
    print("open", file=log, flush=True)
    reader, writer = await asyncio.open_connection(*target)
    own = {client_writer, writer}
    pipes.update(own)
    await asyncio.gather(pump(client_reader, writer), pump(reader, client_writer))
    pipes.difference_update(own)
    for end in own:
        end.close()


def cut():
    for writer in pipes:
        writer.transport.abort()


async def main(path, address):
    host, port = address.rsplit(":", 1)
    with open(path, "w", encoding="ascii") as log:
        server = await asyncio.start_server(lambda r, w: serve(r, w, (host, int(port)), log), "127.0.0.1", 0)
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, cut)
        print(server.sockets[0].getsockname()[1], file=log, flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
