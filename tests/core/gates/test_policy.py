"""What a client may do: presets by class and their sharper cases, addresses and files that are not open to agents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.approvals import Approvals, Ask, Scope
from kapture_panel.core.gates.policy import TABLE, Case, Decision, Policy
from kapture_panel.core.gates.rules import PRESETS, Preset, Rule, Rules
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.wire.protocol import EVERYTHING, Grant
from tests.support.core.fakes import CATALOGUE, COMMANDS, minimal

AGENT, TERMINAL, PERSON = Client("claude", "agent"), Client("terminal", "terminal"), Client("you", "person")
SHOP, BANK = "https://shop.example", "https://bank.example"
#: The table of TRUST.
SPECIFIED = {
    "trusting": {"read": "allow", "interact": "allow", "navigate": "allow", "execute": "allow", "file": "allow"},
    "careful": {"read": "allow", "interact": "allow", "navigate": "allow", "execute": "ask", "file": "ask"},
    "read-only": {"read": "allow", "interact": "block", "navigate": "block", "execute": "block", "file": "block"},
}


def agent(program: str = "/usr/bin/claude") -> Client:
    return Client("claude", "agent", program=program)


def case(command: str, client: Client | None = None, page: str = SHOP, **more: Any) -> Case:
    """A command in a tab of the panel's browser."""
    entry = CATALOGUE.get(command)
    fields = {name: more.pop(name) for name in ("origin", "secret", "is_managed", "tab_id") if name in more}
    return Case(client or agent(), entry, {**minimal(entry), **more}, page, **fields)


def verdict(policy: Policy, command: str, client: Client | None = None, **more: Any) -> str:
    return policy.decide(case(command, client, **more)).verdict


def allowed(policy: Policy, client: Client, command: str, **params: object) -> bool:
    return verdict(policy, command, client, **params) == "allow"


def answered(decision: Decision, client: Client, scope: Scope, *, is_yes: bool = True) -> Ask:
    """A question about it, with the person's answer."""
    return Ask(
        "a1", client, CATALOGUE.get("click"), {}, decision.site, "", 0.0, decision.reason, decision.matter,
        decision.scopes, scope=scope, state="allowed" if is_yes else "denied",
    )  # fmt: skip


def test_the_table_is_the_specified_one() -> None:
    assert TABLE == SPECIFIED
    assert tuple(TABLE) == PRESETS


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_command_follows_its_class(tmp_path: Path, preset: Preset, name: str) -> None:
    policy = Policy(preset, allow_dirs=(Path("/"),))
    for client in (AGENT, TERMINAL):
        assert verdict(policy, name, client) == SPECIFIED[preset][CATALOGUE.get(name).klass]
    assert policy.decide(case(name, PERSON)) == Decision("allow")


def test_a_persons_own_browser_has_a_preset_of_its_own() -> None:
    policy = Policy("trusting", own_preset="read-only")
    assert verdict(policy, "click") == "allow"
    assert verdict(policy, "click", is_managed=False) == "block"
    assert verdict(Policy("trusting"), "evaluate", is_managed=False) == "ask"


def test_a_refusal_names_the_policy_the_class_and_the_flag() -> None:
    policy = Policy("read-only", own_preset="read-only")
    for is_managed, flag in ((True, "--policy"), (False, "--own-policy")):
        said = policy.decide(case("click", is_managed=is_managed)).reason
        assert said == (
            f"the policy 'read-only' does not allow click (interact); a person can start the panel with {flag} trusting"
        )


def test_waiting_for_an_expression_runs_code() -> None:
    assert verdict(Policy("read-only"), "wait", time=1) == "allow"
    assert verdict(Policy("read-only"), "wait", expression="fetch('/buy')") == "block"
    assert verdict(Policy("careful"), "wait", expression="fetch('/buy')") == "ask"
    assert verdict(Policy("trusting"), "wait", expression="done") == "allow"


def test_connecting_a_tab_is_always_asked_about_once_it_is_known_which() -> None:
    for preset in ("trusting", "careful"):
        asked = Policy(preset).decide(case("connect_tab", origin=BANK))
        assert (asked.verdict, asked.scopes) == ("ask", ("once",))
        assert Policy(preset).grant(case("connect_tab")) == Grant()
    assert verdict(Policy("read-only"), "connect_tab", origin=BANK) == "block"


def test_closing_asks_for_a_tab_of_the_person_and_for_none_the_agent_opened() -> None:
    client = agent()
    client.opened.add("t2")
    for preset in ("trusting", "careful"):
        policy = Policy("trusting", own_preset=preset)
        assert verdict(policy, "close_tab", client, is_managed=False, tab_id="t1") == "ask"
        assert verdict(policy, "close_tab", client, is_managed=False, tab_id="t2") == "allow"
        assert verdict(policy, "close_tab", client, is_managed=True, tab_id="t1") == "allow"


@pytest.mark.parametrize("kind", ["password", "card", "one-time code"])
def test_careful_asks_about_secret_fields_alone(kind: str) -> None:
    for command in ("fill", "type", "click", "fill_form", "select", "press_key", "insert_text"):
        assert verdict(Policy("careful"), command) == "allow"
        asked = Policy("careful").decide(case(command, secret=kind))
        assert (asked.verdict, asked.reason, asked.matter) == ("ask", f"touches a {kind} field", "secret")
        assert verdict(Policy("trusting"), command, secret=kind) == "allow"
        assert verdict(Policy("read-only"), command, secret=kind) == "block"


def test_careful_asks_before_it_leaves_a_site_and_acts_in_a_frame_of_another() -> None:
    policy = Policy("careful")
    for same in (SHOP, "http://shop.example", "about://"):
        assert verdict(policy, "navigate", origin=same) == "allow"
    leaving = policy.decide(case("navigate", origin=BANK))
    assert (leaving.verdict, leaving.site) == ("ask", "bank.example")
    assert leaving.reason == "leaves shop.example for bank.example"
    assert policy.decide(case("new_tab", page="", origin=BANK)).reason == "opens bank.example"
    inside = policy.decide(case("click", origin=BANK))
    assert (inside.verdict, inside.reason) == ("ask", "acts in a frame of bank.example within shop.example")
    assert verdict(policy, "click", origin="about://") == "allow"
    assert policy.decide(case("fill", origin=BANK, secret="card")).reason == (
        "touches a card field in a frame of bank.example within shop.example"
    )


@pytest.mark.parametrize(
    "address", ["mailto:a@b.example", " MAILTO:a@b.example", "tel:123\n", "te\tl:123", "foo:bar", "zoommtg://x"]
)
def test_an_address_of_a_program_is_asked_about_in_every_preset_that_would_allow_it(address: str) -> None:
    rules = Rules()
    rules.put(Rule("allow", site="shop.example", matter="navigate"))
    for command in ("navigate", "new_tab"):
        for policy in (Policy("trusting"), Policy("careful"), Policy("careful", rules=rules)):
            asked = policy.decide(case(command, url=address))
            assert (asked.verdict, asked.scopes) == ("ask", ("once",)), policy.preset
            assert asked.reason.endswith(": address, which may start a program")
        assert verdict(Policy("read-only"), command, url=address) == "block"
        assert verdict(Policy("trusting"), command, PERSON, url=address) == "allow"
    rules.put(Rule("block", site="shop.example", matter="navigate"))
    assert verdict(Policy("trusting", rules=rules), "navigate", url=address) == "block"


def test_who_was_asked_about_an_address_of_a_program_is_not_asked_where_it_leads() -> None:
    granted = Policy("careful").grant(case("navigate", url="mailto:a@b.example"))
    assert granted == Grant([SHOP, "mailto://"])


@pytest.mark.parametrize(
    "address", ["localhost:3000", "shop.example:8443/x", "about:blank#x", "shop.example", "/x", "https://a.example/"]
)
def test_an_address_of_a_page_is_none_of_a_program(address: str) -> None:
    assert verdict(Policy("trusting"), "navigate", url=address) == "allow"


def test_who_may_not_navigate_a_page_may_not_leave_it() -> None:
    rules = Rules()
    rules.put(Rule("read-only", site="shop.example"))
    policy = Policy("trusting", rules=rules)
    assert verdict(policy, "navigate", origin=BANK) == "block"
    assert verdict(policy, "navigate", page=BANK, origin=SHOP) == "block"
    assert verdict(policy, "navigate", page=BANK, origin=BANK) == "allow"


def test_a_script_for_every_later_page_is_asked_about_unless_code_is_free_everywhere() -> None:
    rules = Rules()
    rules.put(Rule("allow", site="shop.example", matter="execute"))
    policy = Policy("careful", rules=rules)
    assert verdict(policy, "inject_script", source="1") == "allow"
    kept = policy.decide(case("inject_script", source="1", keep=True))
    assert (kept.verdict, kept.scopes) == ("ask", ("once",))
    assert verdict(Policy("trusting"), "inject_script", source="1", keep=True) == "allow"


class TestRules:
    def test_the_narrowest_rule_stands_before_the_browsers_preset(self) -> None:
        rules = Rules()
        policy = Policy("trusting", rules=rules)
        rules.put(Rule("careful", site="shop.example"))
        assert verdict(policy, "evaluate") == "ask"
        rules.put(Rule("read-only", client="claude", program="/usr/bin/claude"))
        assert verdict(policy, "evaluate") == "block"
        rules.put(Rule("trusting", client="claude", program="/usr/bin/claude", site="shop.example"))
        assert verdict(policy, "evaluate") == "allow"
        assert verdict(policy, "evaluate", agent("/tmp/claude")) == "ask"
        assert verdict(policy, "evaluate", page=BANK) == "block"

    def test_a_rule_for_a_matter_says_allow_ask_or_block(self) -> None:
        rules = Rules()
        policy = Policy("trusting", rules=rules)
        rules.put(Rule("block", site="shop.example", matter="secret"))
        rules.put(Rule("ask", site="shop.example", matter="execute"))
        said = policy.decide(case("fill", secret="card"))
        assert (said.verdict, said.reason.partition(";")[0]) == (
            "block", "a rule of the person does not allow fill (card fields) on shop.example",
        )  # fmt: skip
        assert policy.decide(case("evaluate")).reason == "a rule of yours asks about evaluate (execute) on shop.example"
        assert verdict(policy, "fill") == "allow"


class TestAnswers:
    def test_how_far_a_yes_may_go(self) -> None:
        policy = Policy("careful")
        assert policy.decide(case("evaluate")).scopes == ("once", "session", "always")
        assert policy.decide(case("evaluate", agent(program=""))).scopes == ("once", "session")
        assert policy.decide(case("evaluate", TERMINAL)).scopes == ("once",)
        assert policy.decide(case("read_image", path="/a")).scopes == ("once", "session")

    def test_a_yes_for_the_session_is_for_this_client_site_and_matter(self) -> None:
        policy, client = Policy("careful"), agent()
        policy.remember(answered(policy.decide(case("evaluate")), client, "once"))
        assert verdict(policy, "evaluate", client) == "ask"
        policy.remember(answered(policy.decide(case("evaluate")), client, "session"))
        assert verdict(policy, "inject_script", client) == "allow"
        assert verdict(policy, "evaluate", client, page=BANK) == "ask"
        assert verdict(policy, "fill", client, secret="card") == "ask"
        assert verdict(policy, "evaluate") == "ask"
        policy.preset = "read-only"
        assert verdict(policy, "evaluate", client) == "block"

    def test_a_no_for_the_session_is_told_without_asking_until_the_person_says_yes(self) -> None:
        policy, client = Policy("careful"), agent()
        asked = policy.decide(case("evaluate", client))
        policy.remember(answered(asked, client, "session", is_yes=False))
        said = policy.decide(case("evaluate", client))
        assert said.verdict == "block"
        assert said.reason == "a person refused evaluate (execute) on shop.example for this conversation"
        policy.remember(answered(asked, client, "session"))
        assert verdict(policy, "evaluate", client) == "allow"
        assert client.refused == set()

    def test_always_is_a_rule_for_the_agents_name_and_program_on_this_site(self, tmp_path: Path) -> None:
        policy = Policy("careful", rules=Rules(tmp_path / "policy.json"))
        policy.remember(answered(policy.decide(case("evaluate")), agent(), "always"))
        again = Policy("careful", rules=Rules(tmp_path / "policy.json"))
        assert verdict(again, "evaluate") == "allow"
        assert verdict(again, "evaluate", agent("/tmp/claude")) == "ask"
        assert verdict(again, "evaluate", Client("codex", "agent", program="/usr/bin/claude")) == "ask"
        assert verdict(again, "evaluate", page=BANK) == "ask"

    def test_a_rule_that_cannot_be_kept_holds_for_the_conversation(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        policy, client = Policy("careful", rules=Rules(tmp_path / "gone" / "policy.json")), agent()
        policy.remember(answered(policy.decide(case("evaluate")), client, "always"))
        assert verdict(policy, "evaluate", client) == "allow"
        assert verdict(policy, "evaluate") == "ask"
        assert "for this conversation only" in caplog.text

    def test_a_yes_to_a_file_is_for_its_folder(self) -> None:
        policy, client = Policy("trusting"), agent()
        asked = policy.decide(case("read_image", client, path="/pictures/a.png"))
        policy.remember(answered(asked, client, "session"))
        assert verdict(policy, "read_image", client, path="/pictures/b.png") == "allow"
        assert verdict(policy, "read_image", client, path="/etc/b.png") == "ask"
        assert verdict(policy, "upload_file", client, paths=["/etc/b.png"]) == "ask"


class TestGrants:
    def test_the_person_and_who_may_do_everything_cost_nothing(self) -> None:
        for made in (case("fill", PERSON), case("snapshot")):
            assert Policy("careful").grant(made) == EVERYTHING
        assert Policy("trusting").grant(case("fill")) == EVERYTHING

    def test_careful_is_bound_to_the_page_it_was_decided_for(self) -> None:
        policy, client = Policy("careful"), agent()
        for command in ("click", "evaluate", "navigate", "upload_file", "wait"):
            params = {"expression": "1"} if command == "wait" else {}
            assert policy.grant(case(command, client, **params)) == Grant([SHOP])
        assert policy.grant(case("new_tab", client, page="")) == Grant()
        policy.remember(answered(policy.decide(case("fill", client, secret="card")), client, "session"))
        assert policy.grant(case("fill", client)) == Grant([SHOP], secret=True)
        assert policy.grant(case("fill", client, page=BANK)) == Grant([BANK])

    def test_a_rule_for_any_site_binds_who_is_trusted_elsewhere(self) -> None:
        rules = Rules()
        policy = Policy("trusting", rules=rules)
        rules.put(Rule("read-only", site="bank.example"))
        assert policy.grant(case("click")) == Grant([SHOP], secret=True)
        rules.put(Rule("block", matter="secret"))
        assert policy.grant(case("click")) == Grant([SHOP])

    def test_it_grows_by_what_was_decided(self) -> None:
        grown = Grant([SHOP]).and_for(BANK, secret=True)
        assert (grown, EVERYTHING.and_for(BANK, secret=False)) == (Grant([SHOP, BANK], secret=True), EVERYTHING)


def test_defaults_are_kept_and_hold_at_once(tmp_path: Path) -> None:
    policy = Policy("trusting", rules=Rules(tmp_path / "policy.json"))
    policy.set_default("own", "read-only")
    assert (policy.default("own"), verdict(policy, "click", is_managed=False)) == ("read-only", "block")
    assert Rules(tmp_path / "policy.json").default("own") == "read-only"


async def test_an_answer_in_the_inbox_is_remembered_though_nobody_waits() -> None:
    policy, client, approvals = Policy("careful"), agent(), Approvals(pending_s=0.001)
    approvals.attend()
    approvals.settled.connect(policy.remember)
    asked = policy.decide(case("evaluate", client))
    with pytest.raises(KaptureError, match="has not decided"):
        await approvals.ask(
            client, CATALOGUE.get("evaluate"), {}, site=asked.site, where="", timeout_s=1, matter=asked.matter,
            scopes=asked.scopes,
        )  # fmt: skip
    approvals.allow(next(iter(approvals)), "session")
    assert verdict(policy, "evaluate", client) == "allow"


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    for wrong in ({"preset": "careless"}, {"own_preset": "careless"}):
        with pytest.raises(KaptureError, match="no policy 'careless'; there are trusting, careful, read-only"):
            Policy(**wrong)  # type: ignore[arg-type]


CLOSED = [
    "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "\x00javascript:alert(1)", "\tjavascript:1",
    "java\nscript:alert(1)", "java\tscript:alert(1)", "\r\njava\r\nscript\n:alert(1)", "j\na\nv\na\ns\nc\nr\ni\npt:1",
    "data:text/html,<script>1</script>", "DATA:text/html,x", "da\tta:text/html,x", "\x1fdata:,x",
    "file:///etc/passwd", "FILE:///etc/passwd", "file:/etc/passwd", "file:etc/passwd", "fi\nle:///etc/passwd",
    "file://localhost/etc/passwd", "file://host/share", "file:\\\\etc\\passwd", "file:", "file://[", "file:///a%00b",
    "chrome://settings", "Chrome://flags", "chrome:settings", "chrome-extension://abc/a.html", "chrome-untrusted://x",
    "view-source:https://a.example/", "about:settings", "ABOUT:flags", "about:blankets", "about:",
    "edge://settings", "brave://wallet", "devtools://devtools/x", "filesystem:https://a.example/temporary/a",
]  # fmt: skip
OPEN = [
    "https://a.example/", "HTTP://a.example", "//a.example/x", "/cart", "cart?next=javascript:1", "?q=file:", "#data:",
    "a.example/data:x", "about:blank", "about:blank#x", "About:Blank", "localhost:3000/x", "https://chrome:x@a.example/",
]  # fmt: skip


@pytest.mark.parametrize("command", ["navigate", "new_tab"])
@pytest.mark.parametrize("address", CLOSED)
def test_an_address_into_the_browser_or_the_disk_is_closed_to_agents(command: str, address: str) -> None:
    for client in (AGENT, TERMINAL):
        assert not allowed(Policy(), client, command, url=address)
    assert allowed(Policy(), PERSON, command, url=address)


@pytest.mark.parametrize("command", ["navigate", "new_tab"])
@pytest.mark.parametrize("address", OPEN)
def test_an_address_of_the_web_is_open(command: str, address: str) -> None:
    assert allowed(Policy(), AGENT, command, url=address)


def test_a_refusal_names_the_scheme_and_the_way_out() -> None:
    said = Policy().decide(case("navigate", url="java\tscript:1")).reason
    assert said == "javascript: addresses are not open to agents; use an http or https address"
    assert Policy().decide(case("navigate", url="file:///etc/passwd")).reason.endswith("with --allow-dir /etc")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder allowed with --allow-dir, beside one that is not; each is a link away from the other."""
    for name in ("site", "secret", "site-other"):
        (tmp_path / name / "sub").mkdir(parents=True)
        (tmp_path / name / "a b.html").write_text(name)
    (tmp_path / "site" / "out").symlink_to(tmp_path / "secret")
    (tmp_path / "secret" / "in").symlink_to(tmp_path / "site" / "sub")
    return tmp_path / "site"


@pytest.mark.parametrize(
    ("path", "is_open"),
    [
        ("{site}/a%20b.html", True),
        ("{site}", True),
        ("{site}/sub/../a%20b.html", True),
        ("{site}/not-there.html?x=1#y", True),
        ("{site}/../secret/a%20b.html", False),
        ("{site}/%2e%2e/secret/a%20b.html", False),
        ("{site}/sub/..%2f..%2fsecret/a", False),
        ("{site}/..", False),
        ("{site}-other/a%20b.html", False),
        ("{site}/out/a%20b.html", False),
        ("{site}/../secret/in/../a%20b.html", False),
        ("/etc/passwd", False),
    ],
)
def test_a_file_is_open_inside_the_allowed_folder_only(site: Path, path: str, is_open: bool) -> None:
    policy = Policy(allow_dirs=(site,))
    for start in ("file://", "file:", "FILE://localhost", " file://"):
        assert allowed(policy, AGENT, "navigate", url=start + path.format(site=site)) == is_open


@pytest.mark.parametrize("address", ["file:a%20b.html", "file:./a", "file:\\a", "file:..\\..\\etc\\passwd"])
def test_where_the_panel_was_started_opens_no_file(site: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.chdir(site)
    assert not allowed(Policy(allow_dirs=(site,)), AGENT, "navigate", url=address)


def test_an_allowed_folder_opens_no_other_scheme(site: Path) -> None:
    policy = Policy(allow_dirs=(site,))
    assert not allowed(policy, AGENT, "navigate", url=f"view-source:file://{site}/a")
    assert not allowed(policy, AGENT, "navigate", url=f"filesystem:file://{site}/a")


def test_a_file_is_read_from_the_allowed_and_the_instances_own_folders_and_else_asked_about(tmp_path: Path) -> None:
    (tmp_path / "shots").mkdir()
    (tmp_path / "shots" / "link.png").symlink_to(tmp_path / "secret.png")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    policy = Policy(allow_dirs=(tmp_path / "allowed",), own_dirs=(tmp_path / "shots",))
    for client in (AGENT, TERMINAL):
        for path in ("allowed/a.png", "shots/b.png"):
            given = str(tmp_path / path)
            assert allowed(policy, client, "read_image", path=given)
            assert allowed(policy, client, "upload_file", paths=[given])
        for path in ("secret.png", "shots/../secret.png", "shots/link.png", "shots-other/b.png"):
            given = str(tmp_path / path)
            for command, params in (("read_image", {"path": given}), ("upload_file", {"paths": [given]})):
                asked = policy.decide(case(command, client, **params))
                assert (asked.verdict, asked.code) == ("ask", "FILE_NOT_ALLOWED")
                assert f"--allow-dir {Path(given).parent}" in asked.way_out
                assert given in asked.reason
        for path in ("loop/a.png", "a\0b.png"):
            with pytest.raises(KaptureError) as refused:
                policy.decide(case("read_image", client, path=str(tmp_path / path)))
            assert refused.value.code == "INVALID_PARAMS"
        assert not allowed(policy, client, "navigate", url=f"file://{tmp_path}/shots/b.png")
    assert allowed(policy, PERSON, "read_image", path=str(tmp_path / "secret.png"))


def test_one_file_outside_is_enough_to_be_asked_and_relative_paths_are_outside(tmp_path: Path) -> None:
    inside = str(tmp_path / "allowed" / "a.txt")
    policy = Policy(allow_dirs=(tmp_path / "allowed",))
    for path in (str(tmp_path / "other.txt"), f"{tmp_path}/allowed/../other.txt", "relative.txt"):
        assert verdict(policy, "upload_file", paths=[inside, path]) == "ask"
    asked = replace(policy, preset="careful").decide(case("upload_file", paths=[inside]))
    assert (asked.verdict, asked.reason) == ("ask", f"gives {inside} to the page")


def test_a_no_for_once_is_not_remembered() -> None:
    policy, client = Policy("careful"), agent()
    asked = policy.decide(case("evaluate", client))
    policy.remember(answered(asked, client, "once", is_yes=False))
    assert policy.decide(case("evaluate", client)).verdict == "ask"
    assert (client.granted, client.refused) == (set(), set())


def test_a_no_takes_back_an_earlier_yes_for_the_session() -> None:
    policy, client = Policy("careful"), agent()
    asked = policy.decide(case("evaluate", client))
    policy.remember(answered(asked, client, "session"))
    policy.remember(answered(asked, client, "session", is_yes=False))
    assert policy.decide(case("evaluate", client)).verdict == "block"
    assert client.granted == set()


def test_an_expired_question_is_no_answer() -> None:
    policy, client = Policy("careful"), agent()
    ask = answered(policy.decide(case("evaluate", client)), client, "session")
    ask.state = "expired"
    policy.remember(ask)
    assert (client.granted, client.refused) == (set(), set())


def test_what_blocks_says_whose_word_it_is() -> None:
    rules = Rules()
    rules.put(Rule("read-only", site="shop.example"))
    said = Policy("trusting", rules=rules).decide(case("click"))
    assert said == Decision(
        "block",
        "the policy 'read-only' for shop.example does not allow click (interact); "
        "a person can start the panel with --policy trusting",
        "interact",
        "shop.example",
    )
    everywhere = Rules()
    everywhere.put(Rule("read-only"))
    assert "'read-only' does not" in Policy("trusting", rules=everywhere).decide(case("click")).reason


def test_a_rule_for_every_site_says_whether_code_is_free() -> None:
    free, bound, asked = Rules(), Rules(), Rules()
    free.put(Rule("allow", matter="execute"))
    bound.put(Rule("block", matter="execute"))
    asked.put(Rule("ask", matter="interact"))
    assert verdict(Policy("careful", rules=free), "inject_script", source="1", keep=True) == "allow"
    assert Policy("careful", rules=free).grant(case("evaluate")).origins == "*"
    assert verdict(Policy("trusting", rules=bound), "inject_script", source="1", keep=True) == "block"
    assert Policy("trusting", rules=bound).grant(case("evaluate")).origins == [SHOP]
    assert Policy("trusting", rules=asked).grant(case("click")).origins == [SHOP]
    trusted = Rules()
    trusted.put(Rule("trusting"))
    assert Policy("careful", rules=trusted).grant(case("click")) == EVERYTHING


def test_a_case_is_about_the_document_it_would_touch() -> None:
    click = CATALOGUE.get("click")
    bare = Case(agent(), click, {})
    assert (bare.page, bare.is_managed, bare.tab_id, bare.origin, bare.secret) == ("", True, "", "", "")
    assert (bare.site, bare.kind, bare.matter) == ("", "managed", "interact")
    there = replace(bare, page=SHOP, origin=BANK, secret="card", is_managed=False)
    assert (there.site, there.kind, there.matter) == ("bank.example", "own", "secret")


def test_a_decision_says_no_more_than_it_was_given() -> None:
    bare = Decision("ask")
    assert (bare.reason, bare.matter, bare.site, bare.scopes, bare.way_out, bare.code) == (
        "", "", "", ("once",), "", "DENIED",
    )  # fmt: skip


def test_a_policy_nobody_chose_trusts_the_panels_browser_and_is_careful_in_the_persons() -> None:
    bare = Policy()
    assert (bare.preset, bare.own_preset, bare.allow_dirs, bare.own_dirs) == ("trusting", "careful", (), ())
    assert len(bare.rules) == 0


def test_the_defaults_of_both_kinds_of_browser_are_set_apart() -> None:
    policy = Policy()
    policy.set_default("managed", "read-only")
    assert (policy.default("managed"), policy.default("own")) == ("read-only", "careful")


@pytest.mark.parametrize(("command", "params", "reason"), [
    ("close_tab", {"is_managed": False}, "closes a tab that you opened"),
    ("connect_tab", {"origin": BANK}, "shares a tab that is not connected"),
    ("inject_script", {"source": "1", "keep": True}, "runs code in this page and in every later page of the tab"),
    ("evaluate", {}, "runs code in the page"),
    ("read_image", {"path": "/a/b.png"}, "reads /a/b.png"),
])  # fmt: skip
def test_a_question_says_why(command: str, params: dict[str, Any], reason: str) -> None:
    asked = Policy("careful", own_preset="careful").decide(case(command, **params))
    assert (asked.verdict, asked.reason) == ("ask", reason)


def test_a_question_names_the_way_out_for_who_cannot_be_asked() -> None:
    policy = Policy("careful")
    assert policy.decide(case("evaluate")).way_out == "a person can start the panel with --policy trusting"
    assert policy.decide(case("evaluate", is_managed=False)).way_out == (
        "a person can start the panel with --own-policy trusting"
    )
    assert policy.decide(case("connect_tab", origin=BANK)).way_out == (
        "a person can connect the tab in the extension's popup"
    )


def test_always_is_offered_where_there_is_a_site_to_bind_it_to() -> None:
    policy = Policy("careful")
    assert policy.decide(case("evaluate", page="")).scopes == ("once", "session")
    assert policy.decide(case("fill", secret="card")).scopes == ("once", "session", "always")
    asked = Policy("trusting").decide(case("close_tab", is_managed=False))
    assert (asked.scopes, asked.matter) == (("once",), "close")


def test_files_of_several_folders_are_one_question_in_order() -> None:
    asked = Policy("trusting").decide(case("upload_file", paths=["/b/x", "/a/y", "/b/z"]))
    assert (asked.matter, asked.code, asked.site) == ("file /a /b", "FILE_NOT_ALLOWED", "shop.example")
    assert asked.reason == "gives /b/x, /a/y, /b/z to the page; it is outside the folders agents may read"
    assert asked.way_out.startswith("/b/x is outside the folders agents may read; ")
    careful = Policy("careful").decide(case("upload_file", paths=["/b/x"]))
    assert (careful.matter, careful.code) == ("file /b", "DENIED")


def test_a_blank_page_is_named_in_words() -> None:
    assert Policy("careful").decide(case("click", page="", origin=BANK)).reason == (
        "acts in a frame of bank.example within a blank page"
    )


def test_a_secret_field_is_open_to_who_was_allowed_it_on_the_page() -> None:
    rules = Rules()
    rules.put(Rule("allow", site="shop.example", matter="secret"))
    policy = Policy("careful", rules=rules)
    assert policy.grant(case("fill")) == Grant([SHOP], secret=True)
    assert policy.grant(case("evaluate")) == Grant([SHOP])


def test_a_rule_about_secret_fields_binds_who_may_do_everything_else() -> None:
    rules = Rules()
    rules.put(Rule("block", matter="secret"))
    assert Policy("trusting", rules=rules).grant(case("click")) == Grant("*")


def test_without_a_site_none_is_named() -> None:
    rules = Rules()
    rules.put(Rule("block", matter="execute"))
    said = Policy("trusting", rules=rules).decide(case("evaluate", page="")).reason
    assert said.startswith("a rule of the person does not allow evaluate (execute); ")
