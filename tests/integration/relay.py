# SPDX-License-Identifier: Apache-2.0
"""A TCP relay that records what passes and can be slow, split, silent or rude."""

import asyncio
import socket
import struct
import threading


class Passage:
    """One connection through the relay."""

    def __init__(self, listen_port, reader, writer):
        self.listen_port = listen_port
        self.client_reader, self.client_writer = reader, writer
        self.server_reader = self.server_writer = None
        self.to_client = bytearray()
        self.to_server = bytearray()

    def reset(self):
        """RST to both sides instead of a polite end."""
        for writer in (self.client_writer, self.server_writer):
            raw = None if writer is None else writer.get_extra_info("socket")
            if raw is not None and raw.fileno() >= 0:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()


class Relay:
    """Forwards each listening port to its target. Behaviour can be changed at any moment by setting attributes:

    delay           seconds that each piece waits before it is passed on
    piece           the most bytes that are read and written at once
    swallow_answers what the server says is read and thrown away
    frozen          nothing is passed on, in either direction, until it is false again
    refuse          new connections are closed at once
    """

    def __init__(self, ports, host="127.0.0.1", target_host="127.0.0.1", record=False):
        self.ports = dict(ports)
        self.host = host
        self.target_host = target_host
        self.record = record
        self.delay = 0.0
        self.piece = 1 << 16
        self.swallow_answers = False
        self.frozen = False
        self.refuse = False
        self.passages = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._servers = []

    def __enter__(self):
        self._thread.start()
        self._call(self._listen())
        return self

    def __exit__(self, *_):
        self._call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def _call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(10)

    async def _listen(self):
        for port in self.ports:
            server = await asyncio.start_server(lambda r, w, p=port: self._accept(p, r, w), self.host, port)
            self._servers.append(server)

    async def _close(self):
        for server in self._servers:
            server.close()
        for passage in self.passages:
            for writer in (passage.client_writer, passage.server_writer):
                if writer is not None:
                    writer.transport.abort()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _accept(self, port, reader, writer):
        passage = Passage(port, reader, writer)
        self.passages.append(passage)
        if self.refuse:
            writer.transport.abort()
            return
        try:
            passage.server_reader, passage.server_writer = await asyncio.open_connection(self.target_host, self.ports[port])
        except OSError:
            writer.transport.abort()
            return
        up = self._pump(passage.client_reader, passage.server_writer, passage.to_server, False)
        down = self._pump(passage.server_reader, passage.client_writer, passage.to_client, True)
        try:
            await asyncio.gather(up, down)
        except asyncio.CancelledError:
            passage.reset()

    async def _pump(self, reader, writer, recording, is_answer):
        try:
            while data := await reader.read(self.piece):
                if self.record:
                    recording += data
                if self.delay:
                    await asyncio.sleep(self.delay)
                while self.frozen:
                    await asyncio.sleep(0.02)
                if is_answer and self.swallow_answers:
                    continue
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    def reset_all(self):
        """Breaks every connection with a reset."""

        async def reset():
            for passage in self.passages:
                passage.reset()

        self._call(reset())
