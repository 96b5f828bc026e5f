"""Chooses a phase in the page of phases.c's profile, goes back, and opens the phase's address elsewhere.

usage: check_html_phases.py PAGE
"""
import pathlib
import sys
import time

from synthetic import expect, finish, open_page

STATE = "return [data.calls, document.getElementById('phase').value, document.getElementById('phase-label').hidden]"
page = pathlib.Path(sys.argv[1]).resolve().as_uri()


def choose(browser, name, calls):
    browser.run("const list = document.getElementById('phase'); list.value = arguments[0]; list.dispatchEvent(new Event('change'));", name)
    state = None
    for _ in range(200):  # the page is loaded again
        try:
            state = browser.run(STATE)
        except RuntimeError:
            pass
        if state and state[0] == calls:
            break
        time.sleep(0.05)
    expect(f"the phase {name}", state, [calls, name, False])


with open_page(page) as browser:
    browser.settle()
    expect("the whole run", browser.run(STATE), [1111, "", False])
    expect("the list", browser.run("return [...document.getElementById('phase').options].map(it => it.value)"), ["", "[no phase]", "setup", "a;b <c>"])
    choose(browser, "setup", 100)
    choose(browser, "a;b <c>", 1001)
    address = browser.run("return location.href")
    choose(browser, "", 1111)
    browser.open(address)
    expect("elsewhere", browser.run(STATE), [1001, "a;b <c>", False])
    expect("messages", browser.log(), [])
finish("whole run and three phases")
