// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Demands} from "../Demands.sol";
import {Payment, Proof, Root, Step} from "../Types.sol";
import {Vault} from "../Vault.sol";
import {Trees} from "./Trees.sol";
import {MoodyUSDC} from "./MoodyUSDC.sol";
import {VaultTest} from "./VaultTest.sol";

/// @notice A model of the exchange beside a vault: four members, an event of three conditions, honest roots. Each action does what an honest
/// settler does, or nothing.
contract Ledger is VaultTest {
    uint256 internal constant MEMBERS = 4;
    uint256 internal constant CONDITIONS = 3;
    uint256 internal constant LOT = 10_000;

    address[] public members;

    // The state of the exchange. Positions are in lots, by condition, outcome, member.
    uint64[MEMBERS] internal free;
    uint64[MEMBERS] internal setAside;
    uint64[MEMBERS][2][CONDITIONS] internal lots;
    uint256 internal credited; // number of the last deposit credited
    uint256 internal settled; // number of the last payment settled

    struct Order {
        uint256 member;
        uint64 amount;
        uint256 seq;
    }

    uint256 internal seq;
    /// @dev Withdrawals that wait, and by ref those that were sent.
    Order[] internal waiting;
    mapping(bytes32 ref => Order) internal sent;
    bytes32[] internal sentRefs;
    bytes32[] internal paidRefs; // by number, from 0
    mapping(uint256 number => Order) internal deposits;

    /// @dev The assets of the last root that stands, and what each member had at it.
    Trees.Asset[] internal posted;
    uint256 internal postedSeq;
    uint64[MEMBERS] public postedCash;
    uint64[MEMBERS][2][CONDITIONS] internal postedLots;

    // What moved, as the invariants count it.
    uint256 public moneyIn;
    uint256 public moneyOut;
    uint256 public refs;
    mapping(address => uint256) public refunded;

    constructor() {
        setUp();
        for (uint256 i = 0; i < MEMBERS; i++) {
            members.push(address(uint160(0xabc000 + i)));
        }
    }

    function theVault() external view returns (Vault) {
        return vault;
    }

    function theToken() external view returns (MoodyUSDC) {
        return token;
    }

    function deposit(uint256 who, uint64 amount) public {
        if (vault.frozenAt() != 0 || vault.halted()) return;
        who %= MEMBERS;
        amount = uint64(USDC + amount % (500 * USDC));
        _deposit(members[who], amount);
        moneyIn += amount;
        deposits[vault.depositCount()] = Order(who, amount, 0);
    }

    /// @dev Credits deposits in the chain's order.
    function credit(uint8 count) public {
        for (uint256 i = 0; i < count % 3 + 1 && credited < vault.depositCount(); i++) {
            Order memory one = deposits[++credited];
            free[one.member] += one.amount;
            seq++;
        }
    }

    /// @dev Cash changes hands: what is left after orders matched and positions closed again.
    function trade(uint256 from, uint256 to, uint64 amount) public {
        (from, to) = (from % MEMBERS, to % MEMBERS);
        amount = uint64(amount % (uint256(free[from]) + 1));
        free[from] -= amount;
        free[to] += amount;
        seq++;
    }

    /// @dev Buys Yes for one member and No for another, of one condition.
    function split(uint256 a, uint256 b, uint256 condition, uint32 count) public {
        (a, b, condition) = (a % MEMBERS, b % MEMBERS, condition % CONDITIONS);
        uint64 n = uint64(count % (uint256(free[a]) / LOT + 1));
        free[a] -= uint64(n * LOT);
        lots[condition][0][a] += n;
        lots[condition][1][b] += n;
        seq++;
    }

    /// @dev No of one condition becomes Yes of the others: the cash behind it is the event's.
    function convert(uint256 a, uint256 condition, uint32 count) public {
        (a, condition) = (a % MEMBERS, condition % CONDITIONS);
        uint64 n = uint64(count % (uint256(lots[condition][1][a]) + 1));
        lots[condition][1][a] -= n;
        for (uint256 i = 0; i < CONDITIONS; i++) {
            if (i != condition) lots[i][0][a] += n;
        }
        seq++;
    }

    function withdraw(uint256 who, uint64 amount) public {
        who %= MEMBERS;
        amount = uint64(amount % (uint256(free[who]) + 1));
        if (amount == 0) return;
        free[who] -= amount;
        setAside[who] += amount;
        seq++;
        waiting.push(Order(who, amount, seq));
    }

    /// @dev Pays one withdrawal that the last root shows as set aside.
    function pay(uint256 which) public {
        if (waiting.length == 0) return;
        which %= waiting.length;
        Order memory one = waiting[which];
        if (one.seq > postedSeq) return;
        bytes32 ref = bytes32(++refs);
        vm.prank(OPERATOR);
        (bool ok,) = address(vault)
            .call(abi.encodeCall(vault.pay, (_payment(ref, members[one.member], members[one.member], one.amount))));
        if (!ok) return;
        moneyOut += one.amount;
        sent[ref] = one;
        paidRefs.push(ref);
        waiting[which] = waiting[waiting.length - 1];
        waiting.pop();
    }

    /// @dev Settles payments in the chain's order.
    function settle(uint8 count) public {
        for (uint256 i = 0; i < count % 3 + 1 && settled < paidRefs.length; i++) {
            Order memory one = sent[paidRefs[settled++]];
            setAside[one.member] -= one.amount;
            seq++;
        }
    }

    function post() public {
        if (vault.frozenAt() != 0 || vault.halted()) return;
        (Trees.Asset[] memory assets, bytes32 weights) = (_assets(), _commitment());
        _post(_rootNow(assets, weights));
        delete posted;
        for (uint256 i = 0; i < assets.length; i++) {
            posted.push(assets[i]);
        }
        postedSeq = seq;
        for (uint256 i = 0; i < MEMBERS; i++) {
            postedCash[i] = free[i] + setAside[i];
        }
        postedLots = lots;
    }

    function wait(uint32 seconds_) public {
        vm.warp(block.timestamp + seconds_ % 12 hours);
    }

    function _rootNow(Trees.Asset[] memory assets, bytes32 weights) internal view returns (Root memory root) {
        root = _root(assets, weights);
        (,, uint96 paid) = vault.batchOf(settled);
        root.seq = uint48(seq);
        root.deposits = uint48(credited);
        root.payments = uint48(settled);
        root.custody = uint64(vault.depositTotal(credited) - paid);
    }

    function _assets() internal view returns (Trees.Asset[] memory assets) {
        assets = new Trees.Asset[](1 + 2 * CONDITIONS);
        uint256 count = 0;
        uint64[] memory amounts = new uint64[](MEMBERS);
        for (uint256 i = 0; i < MEMBERS; i++) {
            amounts[i] = free[i] + setAside[i];
        }
        count = _add(assets, count, 0, 0, amounts);
        for (uint256 c = 0; c < CONDITIONS; c++) {
            for (uint8 outcome = 0; outcome < 2; outcome++) {
                for (uint256 i = 0; i < MEMBERS; i++) {
                    amounts[i] = lots[c][outcome][i];
                }
                count = _add(assets, count, _condition(c), outcome, amounts);
            }
        }
        assembly ("memory-safe") {
            mstore(assets, count)
        }
    }

    function _add(
        Trees.Asset[] memory assets,
        uint256 count,
        bytes32 condition,
        uint8 outcome,
        uint64[] memory amounts
    ) private view returns (uint256) {
        Trees.Asset memory asset = _asset(condition, outcome, members, amounts);
        if (asset.holders.length == 0) return count;
        assets[count] = asset;
        return count + 1;
    }

    function _condition(uint256 c) internal pure returns (bytes32) {
        return bytes32(c + 1);
    }

    function _weightOf(uint256 c) internal pure returns (uint64) {
        return c == 0 ? 3_334 : 3_333;
    }

    function _weights() internal pure returns (Trees.Asset memory asset) {
        asset = Trees.Asset(
            bytes32(type(uint256).max), 255, new bytes32[](CONDITIONS), new uint64[](CONDITIONS)
        );
        for (uint256 c = 0; c < CONDITIONS; c++) {
            (asset.holders[c], asset.amounts[c]) = (_condition(c), _weightOf(c));
        }
    }

    function _commitment() internal pure returns (bytes32) {
        return Trees.leafOf(Trees.assetHash(_weights()), 0).hash;
    }

    // The end: the operator is gone.

    /// @dev Freezes and lets everybody take everything. Returns what was not paid of what was due.
    function leave() public returns (uint256 short) {
        if (vault.frozenAt() == 0) {
            vm.warp(block.timestamp + 7 days + 1);
            vault.freeze();
        }
        for (uint256 place = 0; place < posted.length; place++) {
            if (posted[place].condition == 0) short += _exitAll(place);
        }
        (,,,,, uint48 included,,) = vault.roots(vault.lastRoot());
        for (uint256 number = included + 1; number <= vault.depositCount(); number++) {
            Order memory one = deposits[number];
            address member = members[one.member];
            try vault.refund(number, member, member) returns (uint256 paid) {
                short += one.amount - paid;
                refunded[member] += paid;
            } catch {
                short += one.amount;
            }
        }
        vm.warp(vault.frozenAt() + 30 days);
        for (uint256 c = 0; c < CONDITIONS; c++) {
            Step[] memory path = Trees.pathOf(Trees.leavesOf(_weights()), c);
            if (posted.length == 0 || vault.weightOf(_condition(c)) != 0) continue;
            vault.settleVoid(_condition(c), _weightOf(c), uint64(c), uint64(CONDITIONS), path);
        }
        for (uint256 place = 0; place < posted.length; place++) {
            if (posted[place].condition != 0) short += _exitAll(place);
        }
    }

    /// @dev Lets every holder of an asset exit. Returns what was not paid of what was due.
    function _exitAll(uint256 place) private returns (uint256 short) {
        Trees.Asset[] memory assets = posted;
        Trees.Asset memory asset = assets[place];
        for (uint256 i = 0; i < MEMBERS; i++) {
            uint64 amount = _postedOf(asset, i);
            if (amount == 0) continue;
            Proof memory proof = _proof(members[i], assets, place);
            uint256 due = asset.condition == 0
                ? _less(amount, _paidSince(i))
                : amount
                    * (asset.outcome == 0
                            ? _weightOf(uint256(asset.condition) - 1)
                            : 10_000 - _weightOf(uint256(asset.condition) - 1));
            bytes memory call = asset.condition == 0
                ? abi.encodeCall(vault.exit, (proof, members[i]))
                : abi.encodeCall(vault.exitPosition, (proof, members[i]));
            uint256 before = token.balanceOf(members[i]);
            vm.prank(members[i]);
            (bool ok,) = address(vault).call(call);
            uint256 paid = token.balanceOf(members[i]) - before;
            require(ok == (paid > 0) && paid <= due, "paid more than is due");
            short += due - paid;
            vm.prank(members[i]);
            (ok,) = address(vault).call(call);
            require(!ok, "a second exit");
        }
    }

    function _postedOf(Trees.Asset memory asset, uint256 member) private view returns (uint64) {
        if (asset.condition == 0) return postedCash[member];
        return postedLots[uint256(asset.condition) - 1][asset.outcome][member];
    }

    /// @dev What was paid to a member after the last root that stands.
    function _paidSince(uint256 member) private view returns (uint256 paid) {
        (,,,,,, uint48 included,) = vault.roots(vault.lastRoot());
        for (uint256 number = included; number < paidRefs.length; number++) {
            Order memory one = sent[paidRefs[number]];
            if (one.member == member) paid += one.amount;
        }
    }

    function _less(uint256 a, uint256 b) private pure returns (uint256) {
        return a > b ? a - b : 0;
    }

    /// @dev Everything that would be due if the vault were frozen now, at the weights of the last root that stands.
    function owed() public view returns (uint256 sum) {
        for (uint256 i = 0; i < MEMBERS; i++) {
            sum += _less(postedCash[i], _paidSince(i));
            for (uint256 c = 0; c < CONDITIONS; c++) {
                sum += uint256(postedLots[c][0][i]) * _weightOf(c) + uint256(postedLots[c][1][i]) * (10_000 - _weightOf(c));
            }
        }
        (,,,,, uint48 included,,) = vault.roots(vault.lastRoot());
        sum += vault.depositTotal(vault.depositCount()) - vault.depositTotal(included);
    }

    /// @dev What nobody but a role may do, tried by a stranger and by the other roles.
    function intrude(uint256 who, uint256 what) public {
        address caller = [STRANGER, GUARDIAN, OPERATOR, TIMELOCK, members[0]][who % 5];
        bytes[7] memory calls = [
            abi.encodeCall(vault.pay, (_payment(bytes32(type(uint256).max), STRANGER, STRANGER, 1))),
            abi.encodeCall(vault.post, (_rootNow(new Trees.Asset[](0), 0))),
            abi.encodeCall(vault.veto, (vault.lastRoot())),
            abi.encodeCall(vault.setOperator, (STRANGER)),
            abi.encodeCall(vault.setLimit, (type(uint256).max)),
            abi.encodeCall(vault.resume, ()),
            abi.encodeCall(vault.setGuardian, (STRANGER))
        ];
        address[7] memory allowed = [OPERATOR, OPERATOR, GUARDIAN, TIMELOCK, TIMELOCK, TIMELOCK, TIMELOCK];
        what %= 7;
        if (caller == allowed[what]) return;
        vm.prank(caller);
        (bool ok,) = address(vault).call(calls[what]);
        require(!ok, "an intruder was served");
    }

    /// @dev One random action.
    function step(uint256 random) public {
        uint256 kind = random % 16;
        uint256 a = random >> 8;
        uint256 b = random >> 40;
        uint64 amount = uint64(random >> 72);
        if (kind < 3) deposit(a, amount);
        else if (kind < 6) credit(uint8(a));
        else if (kind < 8) trade(a, b, amount);
        else if (kind == 8) split(a, b, random >> 140, uint32(amount));
        else if (kind == 9) convert(a, random >> 140, uint32(amount));
        else if (kind < 12) withdraw(a, amount);
        else if (kind == 12) pay(a);
        else if (kind == 13) settle(uint8(a));
        else if (kind == 14) post();
        else wait(uint32(a));
    }
}
