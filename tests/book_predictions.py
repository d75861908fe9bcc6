"""Usage: book_predictions.py TOOLS HTML. Every answer of the book has its question for predict.js, and its page has the
script; what a prediction is kept under stays as long as its question. In Chromium, where there is one: a prediction
that is typed is there after a reload, stands in its answer and in no other, is marked there, and is counted, listed,
copied and deleted on its page; and a browser that keeps nothing says so.
"""

import glob
import os
import re
import sys

import browser


def check(right, message):
    if not right:
        sys.exit(f"wrong: {message}")


def check_pages(html):
    """The pages that have questions."""
    found = []
    for path in sorted(glob.glob(html + "/*.html")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        page = os.path.basename(path)
        answers = len(re.findall("<summary>Answer", text))
        keys = re.findall(r'<details class="answer" data-anchor="(\w+)" data-question="[^"]+" data-place="\d+">', text)
        check(len(set(keys)) == answers, f"{page} has {answers} answers, and {len(set(keys))} questions")
        check(all(f'id="{key}"' in text for key in keys), f"a question of {page} has no anchor")
        if answers:
            found.append(page)
        scripts = text.count('<script defer src="predict.js"></script>')
        check(scripts == (answers > 0 or page == "predictions.html"), f"{page} has the script {scripts} times")
    check(len(found) >= 20 and os.path.exists(html + "/predict.js"), f"{len(found)} pages have questions")
    return found


def check_keys():
    import prepare
    key = prepare.key_of("**2.** By bytes it is [2.0][bytes] times as fast. Is it?")
    same = prepare.key_of("**3.** By bytes it is [2.1][bytes] times as fast. Is it?")
    other = prepare.key_of("**2.** By bytes it is [2.0][bytes] times as slow. Is it?")
    check(key == same, "a question with a new number is another one")
    check(key != other, "another question has the same key")
    said = prepare.in_plain_text("**2.** Is *that* `a*b*c` [2.0][bytes], 3 * 4, or [more](x.md) than $2^{-3}$?")
    check(said == "2. Is that a*b*c 2.0, 3 * 4, or more than \\(2^{-3}\\)?", said)
    check(prepare.begin_of_question(["# One", "", "**1.** A?", "", "| **a** |", "", "B?", ""]) == 2, "a long question")
    check(prepare.begin_of_question(["**1.** A?", "", "</details>", "", "B?"]) is None, "a question with two answers")


# What the reader sees of the n-th answer; of the list.
FIELD = "document.querySelectorAll('.predict textarea')[{}]"
SEEN = "document.querySelectorAll('details.answer')[{}].innerText"
MARK = "document.querySelectorAll('details.answer')[{}].querySelector('input[value={}]')"
LIST = "document.getElementById('predictions').innerText"
COUNTS = "[...document.querySelectorAll('#predictions tr')].map(row => [...row.cells].slice(1).map(cell => cell.innerText))"
BUTTON = "document.querySelectorAll('#predictions button')[{}].click()"
NONE = "There is no prediction yet."
REFUSED = "Your browser does not let this page keep predictions"


def check_in(browser, html, pages):
    root = "file://" + os.path.abspath(html) + "/"
    chapter = root + next(page for page in pages if page.startswith("walkthrough_02"))
    listed = root + "predictions.html"

    browser.go(listed)
    check(browser.run(LIST).startswith(NONE), "the list is not empty at first")
    browser.go(chapter)
    answers = browser.run("document.querySelectorAll('details.answer').length")
    check(answers == browser.run("document.querySelectorAll('.predict textarea').length") > 2, "a field is missing")
    browser.run(FIELD.format(1) + ".focus()")
    browser.type("4.5 <b>sectors</b> & $a$")
    browser.go(chapter)
    check(browser.run(FIELD.format(1) + ".value") == "4.5 <b>sectors</b> & $a$", "a reload loses the prediction")
    check(browser.run(FIELD.format(0) + ".value") == "", "the prediction is in another field, too")
    check("sectors" not in browser.run(SEEN.format(1)), "the prediction is seen in a closed answer")
    browser.run(FIELD.format(1) + ".focus()")
    browser.press("Tab", 9)
    browser.press("Enter", 13, "\r")
    said = browser.run(SEEN.format(1))
    check("Your prediction: 4.5 <b>sectors</b> & $a$" in said, "the prediction is not in its answer")
    browser.run("document.querySelector('details.answer').open = true")
    check("Your prediction" not in browser.run(SEEN.format(0)), "an answer without a prediction shows one")

    browser.run(MARK.format(1, "wrong") + ".click()")
    browser.run(MARK.format(1, "right") + ".click()")
    browser.run(FIELD.format(0) + ".focus()")
    browser.type("5")
    browser.run(MARK.format(0, "wrong") + ".click()")
    browser.run(FIELD.format(2) + ".focus()")
    browser.type("6")
    browser.go(listed)
    counts = [["predictions", "right", "wrong"], *2 * [["3", "1", "1"]]]
    check(browser.run(COUNTS) == counts, f"the list counts {browser.run(COUNTS)}")
    check("Your prediction (wrong): 5" in browser.run(LIST), "the list lacks a mark")
    browser.go(chapter)
    check(browser.run(MARK.format(1, "right") + ".checked"), "a reload loses the mark")
    check(not browser.run(MARK.format(2, "right") + ".checked"), "a mark is on another prediction, too")
    browser.run(FIELD.format(0) + ".focus()")
    browser.type("1")
    check(not browser.run(MARK.format(0, "wrong") + ".checked"), "a prediction that is changed keeps its mark")
    for n in 0, 2:
        browser.run(f"{FIELD.format(n)}.focus(); {FIELD.format(n)}.select(); document.execCommand('delete')")

    browser.run("localStorage.setItem('lbm-stages prediction javascript:0 x', '{\"prediction\":\"foreign\"}')")
    browser.go(listed)
    said = browser.run(LIST)
    check("foreign" not in said, "what is kept under another kind of key is listed")
    check("4.5 <b>sectors</b> & $a$" in said and "02: " in said, "the prediction is not listed")
    browser.run("navigator.clipboard.writeText = async text => { window.copied = text; }")
    browser.run(BUTTON.format(0))
    check("\nMy prediction (right): 4.5 <b>sectors</b> & $a$\n" in browser.run("copied"), "the prediction is not copied")
    browser.run("navigator.clipboard.writeText = async () => { throw new Error(); }")
    browser.run(BUTTON.format(0))
    check("sectors" in browser.run("getSelection().toString()"), "the prediction is not there to be copied by hand")
    link = browser.run("document.querySelector('#predictions p a').href")
    browser.go(link)
    anchor = browser.run("document.querySelectorAll('details.answer')[1].dataset.anchor")
    check(link == f"{chapter}#{anchor}", "the link leads to another question")
    top = browser.run("document.querySelectorAll('.predict')[1].previousElementSibling.getBoundingClientRect().top")
    check(-30 < top < 400, f"the link does not show the question, whose top is at {top}")
    browser.go(listed)
    browser.accepts = False
    browser.run(BUTTON.format(1))
    check("sectors" in browser.run(LIST) and len(browser.confirmed) == 1, "what is not confirmed is deleted")
    browser.accepts = True
    browser.run(BUTTON.format(1))
    check(browser.run(LIST).startswith(NONE) and len(browser.confirmed) == 2, "the predictions are not deleted")
    browser.go(chapter)
    check(browser.run(FIELD.format(1) + ".value") == "", "a deleted prediction comes back")
    browser.run(FIELD.format(1) + ".focus()")
    browser.type("5")
    browser.run(f"{FIELD.format(1)}.select(); document.execCommand('delete')")
    browser.go(listed)
    check(browser.run(LIST).startswith(NONE), "an empty prediction is listed")

    browser.send("Page.addScriptToEvaluateOnNewDocument",
                 source="Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })")
    browser.go(chapter)
    check(REFUSED not in browser.run("document.body.innerText"), "the reader is warned who typed nothing")
    browser.run(FIELD.format(1) + ".focus()")
    browser.type("7")
    check(browser.run("document.body.innerText").count(REFUSED) == 1, "nothing is said of a browser that keeps nothing")
    browser.run("document.querySelectorAll('details.answer')[1].open = true")
    check("Your prediction: 7" in browser.run(SEEN.format(1)), "nothing is shown in a browser that keeps nothing")
    browser.go(listed)
    check(browser.run(LIST).startswith(REFUSED), "the list says nothing of a browser that keeps nothing")


def main(tools, html):
    sys.path.insert(0, tools)
    pages = check_pages(html)
    check_keys()
    with browser.started() as chromium:
        check_in(chromium, html, pages)
    print(f"{len(pages)} pages with questions")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: book_predictions.py TOOLS HTML")
    main(*sys.argv[1:])
