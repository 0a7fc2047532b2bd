"""Shells for agent.py, which opens them if this file is beside it. docs/reference/agent-protocol.md has their frames."""
import asyncio, fcntl, json, os, pty, signal, struct, subprocess, termios, websockets

def resize(terminal, cols=0, rows=0, **_):
    if cols: fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", rows, cols, 0, 0))

async def serve(order, socket):
    """One shell on the socket that was dialled back for `open`. It closes the socket, and the terminal, however it ends."""
    try: await run(order, socket)
    finally: await socket.close()

async def run(order, socket):
    framed = "protocol" in order  # without a subprotocol all frames are bytes
    say = lambda **frame: socket.send(json.dumps(frame)) if framed else asyncio.sleep(0)
    start = json.loads(await socket.recv()) if framed else order["parameters"]
    if "resume" in start or start.get("tty") is False:
        await say(type="failed", reason="invalid")
        return await socket.close(1008)
    outer, inner = pty.openpty()
    with open(outer, "r+b", buffering=0) as terminal:
        resize(terminal, **{"cols": 80, "rows": 24, **start})
        command = start.get("command", [os.environ.get("SHELL", "/bin/sh")])
        line = ["env", "TERM=" + start.get("term", "xterm"), "setsid", "--ctty", *command]
        try: program = subprocess.Popen(line, stdin=inner, stdout=inner, stderr=inner)
        finally: os.close(inner)
        await say(type="ready", resume_token="none", received=0, grace_seconds=0)

        async def type_into(received=0):
            async for data in socket:
                if framed and isinstance(data, str): resize(terminal, **json.loads(data))  # other text frames hold no size
                else:
                    typed = data.encode() if isinstance(data, str) else data
                    received += await asyncio.to_thread(terminal.write, typed)
                await say(type="ack", bytes=received)

        typing = asyncio.create_task(type_into())
        typing.add_done_callback(lambda _: program.send_signal(signal.SIGHUP))  # the viewer has left
        try:
            while True: await socket.send(await asyncio.to_thread(terminal.read, 65536))
        except (OSError, websockets.ConnectionClosed):  # the program has ended and all was sent, or nobody looks
            code = await asyncio.to_thread(program.wait)
        word, how = ("exit", code) if code >= 0 else ("signal", signal.Signals(-code).name)
        await say(type="exit", **{"code" if word == "exit" else "signal": how})
        await socket.close(1000, f"{word} {how}")
