"""Who pays whom after a hand, and who deals next (SPEC §10)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from rules.options import RuleOptions
from rules.reasons import Reason, RulesError, brief
from rules.wall import SEATS

GANG_KINDS = ("open", "concealed", "joker")
OPEN_GANG_POINTS = 1
CONCEALED_GANG_POINTS = 2
NO_PULL = (0, 0, 0, 0)


class SettlementError(RulesError):
    """A result that cannot be under the options in force, with every reason that holds."""


@dataclass(frozen=True, slots=True)
class Gang:
    """One 杠 of a hand.

    Attributes:
        player: seat of its owner.
        kind: "open" (明杠, an added one too), "concealed" (暗杠) or "joker" (混儿杠).
    """

    player: int
    kind: str


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended, as far as points depend on it.

    Attributes:
        dealer: seat 0..3.
        winner: seat of the winner, None when nobody won.
        fan: the winner's 番.
        gangs: every 杠 of the hand.
        zuo: the dealer chose 坐庄.
        la: how many times each seat pulls the dealer (拉庄).
        chan: the first four discards were a 铲.
    """

    dealer: int
    winner: int | None = None
    fan: int = 0
    gangs: tuple[Gang, ...] = ()
    zuo: bool = False
    la: tuple[int, ...] = NO_PULL
    chan: bool = False


@dataclass(frozen=True, slots=True)
class Payment:
    """One line of the account.

    Attributes:
        payer: seat that pays.
        payee: seat that is paid.
        points: points paid, multiplied already.
        multiplier: what 坐庄 and 拉庄 made of it.
        reason: what it is for; `code` is "win", "gang_open", "gang_concealed", "gang_joker" or
            "chan".
    """

    payer: int
    payee: int
    points: int
    multiplier: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Settlement:
    """The account of one hand.

    Attributes:
        deltas: points won or lost by seat; their sum is 0 (SPEC §10.7).
        next_dealer: seat that deals the next hand.
        restart: the hand was void (铲) and is dealt again by the same dealer.
        payments: the single payments the deltas are made of.
        options: the rules used.
    """

    deltas: tuple[int, ...]
    next_dealer: int
    restart: bool
    payments: tuple[Payment, ...]
    options: RuleOptions

    def answer(self) -> dict[str, object]:
        """The JSON answer of type `settlement` (SPEC §12)."""
        return {
            "deltas": list(self.deltas),
            "next_dealer": self.next_dealer,
            "restart": self.restart,
        }


_GANG_WORDS = {
    "open": Reason("gang_open", "明杠", "open kong (明杠)"),
    "concealed": Reason("gang_concealed", "暗杠", "concealed kong (暗杠)"),
    "joker": Reason("gang_joker", "混儿杠", "joker kong (混儿杠)"),
}
_CHAN_WORDS = Reason("chan", "铲", "铲: three discards like the dealer's first")


def gang_points(kind: str, options: RuleOptions) -> int:
    """Points of one 杠 before multiplication: "明杠为1分，暗杠为2分", a 混儿杠 by its option.

    SPEC §5.3, §9.3.
    """
    if kind == "joker":
        return options.joker_gang_points
    return CONCEALED_GANG_POINTS if kind == "concealed" else OPEN_GANG_POINTS


def multiplier(result: HandResult, one: int, other: int) -> int:
    """What the points between two seats are multiplied by (SPEC §10.3).

    "若庄家选择坐庄则这盘中庄家和其他闲家在这一盘结算时分数乘以2"; "若闲家选择拉庄…
    再乘以2（如果拉两庄的话就是乘以4）". Between two non-dealers 1.
    """
    if not result.zuo or result.dealer not in (one, other):
        return 1
    other_than_dealer = other if one == result.dealer else one
    return 2 * 2 ** result.la[other_than_dealer]


def next_dealer(result: HandResult, options: RuleOptions) -> int:
    """Who deals next: "若庄家胡牌则连庄；如果和局且庄家没有杠、旁家有杠则不连庄；否则和局连庄"
    (SPEC §10.6).
    """
    passes_on = (result.dealer + 1) % SEATS
    if result.winner is not None:
        return result.dealer if result.winner == result.dealer else passes_on
    if options.draw_dealer == "stay":
        return result.dealer
    owners = {gang.player for gang in result.gangs}
    return passes_on if owners and result.dealer not in owners else result.dealer


def settle(result: HandResult, options: RuleOptions | None = None) -> Settlement:
    """The account of one hand (SPEC §10).

    The winner is paid by all three others, and so is every 杠 by its owner's three opponents,
    whoever wins ("即便是杠别人打出的牌后杠开在结算分数时仍然要和其他全部三家结算"). A 铲 counts
    only under its option: "restart" voids the hand, gangs and all; "pay" adds the dealer's payment
    to whatever the hand brings later.

    Raises:
        SettlementError: with every reason that holds.
    """
    used = options or RuleOptions()
    reasons = result_problems(result, used)
    if reasons:
        raise SettlementError(reasons)
    if result.chan and used.chan == "restart":
        return Settlement((0,) * SEATS, result.dealer, True, (), used)
    payments = (
        *_win_payments(result),
        *_gang_payments(result, used),
        *_chan_payments(result, used),
    )
    deltas = [0] * SEATS
    for payment in payments:
        deltas[payment.payer] -= payment.points
        deltas[payment.payee] += payment.points
    return Settlement(tuple(deltas), next_dealer(result, used), False, payments, used)


def _others(seat: int) -> tuple[int, ...]:
    return tuple((seat + k) % SEATS for k in range(1, SEATS))


def _win_payments(result: HandResult) -> list[Payment]:
    if result.winner is None:
        return []
    why = Reason("win", f"和牌 {result.fan} 番", f"a win of {result.fan} fan")
    payments = []
    for payer in _others(result.winner):
        by = multiplier(result, payer, result.winner)
        payments.append(Payment(payer, result.winner, result.fan * by, by, why))
    return payments


def _gang_payments(result: HandResult, options: RuleOptions) -> list[Payment]:
    if result.winner is None and not options.draw_gangs_count:
        return []  # 刮大风: "和局的情况下杠牌不计算分数"
    payments = []
    for gang in result.gangs:
        points = gang_points(gang.kind, options)
        for payer in _others(gang.player):
            multiplied = options.zhuang_multiplies_gangs
            by = multiplier(result, payer, gang.player) if multiplied else 1
            payments.append(Payment(payer, gang.player, points * by, by, _GANG_WORDS[gang.kind]))
    return payments


def _chan_payments(result: HandResult, options: RuleOptions) -> list[Payment]:
    if not result.chan or options.chan != "pay":
        return []
    payments = []
    for payee in _others(result.dealer):
        by = multiplier(result, result.dealer, payee) if options.chan_multiplied else 1
        payments.append(Payment(result.dealer, payee, options.chan_points * by, by, _CHAN_WORDS))
    return payments


def result_problems(result: HandResult, options: RuleOptions) -> tuple[Reason, ...]:
    """Every reason why a result cannot be under the options; empty for a possible one."""
    return (
        *_seat_problems(result),
        *_win_problems(result, options),
        *_pull_problems(result, options),
        *_gang_problems(result, options),
    )


def _is_seat(value: object) -> bool:
    return type(value) is int and 0 <= value < SEATS


def _seat_problems(result: HandResult) -> list[Reason]:
    named = [("dealer", result.dealer), *(("gang owner", gang.player) for gang in result.gangs)]
    if result.winner is not None:
        named.append(("winner", result.winner))
    return [
        Reason(
            "bad_seat", f"没有 {seat} 号座位", f"{what} {seat!r} is no seat; seats are 0, 1, 2, 3"
        )
        for what, seat in named
        if not _is_seat(seat)
    ]


def _win_problems(result: HandResult, options: RuleOptions) -> list[Reason]:
    reasons = []
    if result.winner is not None and result.fan < options.min_fan:
        reasons.append(
            Reason(
                "below_min_fan",
                f"{result.fan} 番不够起和的 {options.min_fan} 番，是诈和",
                f"{result.fan} fan is below the {options.min_fan} needed to win (诈和)",
            )
        )
    if result.winner is None and result.fan != 0:
        reasons.append(
            Reason(
                "fan_without_winner",
                f"没有人和牌，却有 {result.fan} 番",
                f"nobody won, yet there are {result.fan} fan; name the winner or give 0",
            )
        )
    if result.winner is not None and result.chan and options.chan == "restart":
        reasons.append(
            Reason(
                "win_after_chan",
                "铲了，这一盘作废，不会有人和牌",
                "the hand was void by 铲 before anybody could win; leave the winner out",
            )
        )
    return reasons


def _pull_problems(result: HandResult, options: RuleOptions) -> list[Reason]:
    if len(result.la) != SEATS:
        return [Reason("bad_la", "拉庄要写四家", "`la` must have one number for each seat")]
    reasons = []
    pulled = [times for times in result.la if times]
    if any(times < 0 for times in pulled):
        reasons.append(Reason("negative_la", "拉庄次数不能是负数", "`la` cannot be negative"))
    if pulled and not result.zuo:
        reasons.append(
            Reason("la_without_zuo", "庄家没有坐庄，不能拉庄", "拉庄 needs the dealer's 坐庄 first")
        )
    if any(times > options.max_la for times in pulled):
        reasons.append(
            Reason(
                "too_many_la",
                f"最多拉 {options.max_la} 庄",
                f"at most {options.max_la} 拉庄 a player; set max_la to 2 if your table allows it",
            )
        )
    if _is_seat(result.dealer) and result.la[result.dealer]:
        reasons.append(
            Reason("dealer_la", "庄家不能拉自己的庄", "the dealer cannot pull himself (拉庄)")
        )
    return reasons


def _gang_problems(result: HandResult, options: RuleOptions) -> list[Reason]:
    reasons = []
    for kind in dict.fromkeys(gang.kind for gang in result.gangs):
        if kind not in GANG_KINDS:
            reasons.append(
                Reason(
                    "unknown_gang",
                    f"没有 {brief(kind)} 这种杠",
                    f"{brief(kind)} is no gang; use one of {', '.join(GANG_KINDS)}",
                )
            )
        if kind == "joker" and not options.joker_gang_points:
            reasons.append(
                Reason(
                    "joker_gang",
                    "现在的规则不许混儿杠",
                    "a gang of jokers is not allowed; set joker_gang_points to 4..8",
                )
            )
    owners = [gang.player for gang in result.gangs]
    for seat in dict.fromkeys(owners):
        if owners.count(seat) > 4:
            reasons.append(
                Reason("too_many_gangs", "一家最多四个杠", f"seat {seat} has more than four gangs")
            )
    return reasons


def pairwise(settlement: Settlement) -> dict[tuple[int, int], int]:
    """Net points between each two seats: `{(a, b): what b pays a}` with a < b, for showing who
    owes whom.
    """
    net = dict.fromkeys(combinations(range(SEATS), 2), 0)
    for payment in settlement.payments:
        a, b = sorted((payment.payer, payment.payee))
        net[a, b] += payment.points if payment.payee == a else -payment.points
    return net
