"""Chromium for tests of pages: `with started() as browser` skips the test, with exit code 77, where there is none."""

import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile

SECONDS = 120  # that the browser may take for an answer
COMPUTES = ("--disable-gpu",)  # WebGPU computes, but a canvas that it draws on loses its device
DRAWS = ("--use-angle=swiftshader", "--use-vulkan=swiftshader", "--enable-features=Vulkan")  # slower


class Browser:
    """Chromium without a window, driven through two pipes by its DevTools protocol."""

    def __init__(self, program, folder, flags):
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        os.set_inheritable(commands, True)
        os.set_inheritable(answers, True)
        # It reads from 3 and writes to 4. The sandbox, which not every container allows, guards against foreign pages.
        script = f'exec "$@" 3<&{commands} 4>&{answers}'
        self.process = subprocess.Popen(
            ["sh", "-c", script, "sh", program, "--headless", "--remote-debugging-pipe", "--user-data-dir=" + folder,
             "--no-sandbox", "--enable-unsafe-webgpu", *flags, "--disable-dev-shm-usage", "--no-first-run",
             "--allow-file-access-from-files", "about:blank"],
            pass_fds=(commands, answers), env={**os.environ, "HOME": folder}, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.text = b""
        self.number = 0
        self.session = None
        self.accepts = True  # what is confirmed
        self.confirmed = []

    def open(self):
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.send("Page.enable")

    def write(self, method, parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        return self.number

    def receive(self):
        while b"\0" not in self.text:
            ready = select.select([self.answers], [], [], SECONDS)[0]
            new = os.read(self.answers, 1 << 16) if ready else b""
            if not new:
                raise EOFError("the browser does not answer")
            self.text += new
        line, _, self.text = self.text.partition(b"\0")
        message = json.loads(line)
        if message.get("method") == "Page.javascriptDialogOpening":
            self.confirmed.append(message["params"]["message"])
            self.write("Page.handleJavaScriptDialog", {"accept": self.accepts})
        return message

    def send(self, method, until=None, **parameters):
        """The result, when it and, if named, an event have come."""
        number = self.write(method, parameters)
        result = None
        while result is None or until:
            message = self.receive()
            if message.get("id") == number:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                result = message["result"]
            elif message.get("method") == until:
                until = None
        return result

    def go(self, address):
        if self.run("location.href.split('#')[0]") == address.partition("#")[0]:  # else it might not load anew
            self.send("Page.navigate", until="Page.loadEventFired", url="about:blank")
        self.send("Page.navigate", until="Page.loadEventFired", url=address)

    def run(self, script):
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True,
                           userGesture=True)
        if "exceptionDetails" in answer:
            sys.exit(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def type(self, text):
        self.send("Input.insertText", text=text)

    def press(self, key, code, text=""):
        for kind in "keyDown", "keyUp":
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code,
                      **({"text": text} if kind == "keyDown" and text else {}))

    def close(self):
        os.close(self.commands)
        os.close(self.answers)
        self.process.terminate()
        self.process.wait()


@contextlib.contextmanager
def started(flags=COMPUTES):
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), None)
    if not program:
        print("skipped: there is no Chromium (Debian: apt install chromium)")
        sys.exit(77)
    folder = tempfile.mkdtemp()
    browser = Browser(program, folder, flags)
    try:
        try:
            browser.open()
        except (EOFError, BrokenPipeError):
            print(f"skipped: {program} does not start here")
            sys.exit(77)
        yield browser
    finally:
        browser.close()
        shutil.rmtree(folder, ignore_errors=True)  # processes of the browser may still write there
