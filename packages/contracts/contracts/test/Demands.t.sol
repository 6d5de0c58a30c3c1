// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Demands} from "../Demands.sol";
import {Deposits} from "../Deposits.sol";
import {Governed} from "../Governed.sol";
import {StateTree} from "../StateTree.sol";
import {Leaf, Root, Step} from "../Types.sol";
import {Trees} from "./Trees.sol";
import {VaultTest} from "./VaultTest.sol";

contract DemandsTest is VaultTest {
    Step[] private none;

    function setUp() public override {
        super.setUp();
        _deposit(ANN, 100 * USDC);
        _deposit(BOB, 50 * USDC);
        _deposit(CAT, 10 * USDC);
        _post(_root(_cash(100 * USDC, 50 * USDC, 10 * USDC), 0));
    }

    function _demand(address account, uint256 amount) private {
        bytes32 holder = _holder(account, 0, 0);
        vm.deal(account, FEE);
        vm.prank(account);
        vault.demand{value: FEE}(amount, holder);
    }

    function _demandCall(uint256 amount) private pure returns (bytes memory) {
        return abi.encodeCall(Demands.demand, (amount, bytes32("h")));
    }

    function test_a_payment_to_the_account_serves_a_demand() public {
        _pay("before", ANN, 40 * USDC);
        _demand(ANN, 40 * USDC);
        bytes memory serve = abi.encodeCall(vault.serve, (ANN));
        _refused(STRANGER, serve, Demands.NotServed.selector);
        vm.prank(OPERATOR);
        vault.pay(_payment("elsewhere", ANN, BOB, 40 * USDC));
        _refused(STRANGER, serve, Demands.NotServed.selector);
        _post(_root(_cash(20 * USDC, 50 * USDC, 10 * USDC), 0));
        _pay("half", ANN, 15 * USDC);
        _refused(STRANGER, serve, Demands.NotServed.selector);
        _pay("rest", ANN, 25 * USDC);
        uint256 before = OPERATOR.balance;
        vm.prank(STRANGER);
        vault.serve(ANN);
        _eq(OPERATOR.balance, before + FEE, "the operator has the fee");
        _refused(STRANGER, serve, Demands.NoDemand.selector);
        vm.warp(block.timestamp + 3 days + 1);
        _refused(STRANGER, abi.encodeCall(vault.freezeFor, (ANN)), Demands.NoDemand.selector);
    }

    function test_an_overdue_demand_freezes() public {
        _demand(ANN, 40 * USDC);
        bytes memory call = abi.encodeCall(vault.freezeFor, (ANN));
        vm.warp(block.timestamp + 3 days);
        _refused(STRANGER, call, Demands.TooEarly.selector);
        vm.warp(block.timestamp + 1);
        vm.prank(STRANGER);
        vault.freezeFor(ANN);
        _eq(vault.frozenAt(), block.timestamp, "frozen");
        _eq(ANN.balance, FEE, "the fee comes back");
        _refused(STRANGER, call, Governed.IsFrozen.selector);
        _refusedWith(ANN, FEE, _demandCall(USDC), Governed.IsFrozen.selector);
        _refused(STRANGER, abi.encodeCall(vault.serve, (ANN)), Governed.IsFrozen.selector);
    }

    function test_a_demand_has_its_fee_and_bounds_and_is_one() public {
        _refused(ANN, _demandCall(USDC), Demands.WrongFee.selector);
        _refusedWith(ANN, FEE, _demandCall(USDC - 1), Deposits.BadAmount.selector);
        _refusedWith(ANN, FEE, _demandCall(1_000 * USDC + 1), Deposits.BadAmount.selector);
        vm.prank(TIMELOCK);
        vault.setLimit(type(uint256).max);
        _refusedWith(ANN, FEE, _demandCall(1 << 53), Deposits.BadAmount.selector);
        _demand(ANN, USDC);
        _refusedWith(ANN, FEE, _demandCall(USDC), Demands.DemandOpen.selector);
    }

    function test_a_limit_of_nothing_does_not_keep_members_in() public {
        vm.prank(GUARDIAN);
        vault.setLimit(0);
        _refusedWith(ANN, FEE, _demandCall(USDC + 1), Deposits.BadAmount.selector);
        _demand(ANN, USDC);
        vm.warp(block.timestamp + 3 days + 1);
        vault.freezeFor(ANN);
        require(vault.frozenAt() != 0, "frozen");
    }

    function _index(Trees.Asset memory asset, address account) private pure returns (uint256 index) {
        while (asset.holders[index] != _holder(account, 0, 0)) index++;
    }

    function test_a_later_root_refutes_a_demand_above_the_balance() public {
        Trees.Asset[] memory assets = _cash(100 * USDC, 50 * USDC, 10 * USDC);
        Leaf memory leaf = _leaf(assets[0], _index(assets[0], BOB));
        _demand(BOB, 50 * USDC + 1);
        bytes memory call = abi.encodeCall(vault.refute, (BOB, leaf, 3, 0, none));
        _refused(STRANGER, call, Demands.NotRefuted.selector); // the root is not later
        vm.warp(block.timestamp + 1);
        _post(_root(assets, 0));
        Leaf memory other = _leaf(assets[0], _index(assets[0], CAT));
        _refused(STRANGER, abi.encodeCall(vault.refute, (BOB, other, 3, 0, none)), Demands.NotRefuted.selector);
        leaf.amount -= 1;
        _refused(STRANGER, abi.encodeCall(vault.refute, (BOB, leaf, 3, 0, none)), StateTree.BadPath.selector);
        leaf.amount += 1;
        vm.prank(STRANGER);
        (bool ok,) = address(vault).call(call);
        require(ok, "refuted");
        _refused(STRANGER, call, Demands.NoDemand.selector);
    }

    function test_a_demand_within_the_balance_is_not_refuted() public {
        Trees.Asset[] memory assets = _cash(100 * USDC, 50 * USDC, 10 * USDC);
        _demand(BOB, 50 * USDC);
        vm.warp(block.timestamp + 1);
        _post(_root(assets, 0));
        Leaf memory leaf = _leaf(assets[0], _index(assets[0], BOB));
        _refused(STRANGER, abi.encodeCall(vault.refute, (BOB, leaf, 3, 0, none)), Demands.NotRefuted.selector);
    }

    /// @dev Demands as an account whose pseudonym is that one, and refutes by leaves of the tree.
    function _absent(bytes32 holder, uint256 from, uint256 count) private returns (bool ok) {
        Trees.Asset[] memory assets = _cash(100 * USDC, 50 * USDC, 10 * USDC);
        Leaf[] memory leaves = new Leaf[](count);
        for (uint256 i = 0; i < count; i++) {
            leaves[i] = _leaf(assets[0], from + i);
        }
        address account = address(uint160(uint256(keccak256(abi.encode(holder, from, count)))));
        vm.deal(account, FEE);
        vm.prank(account);
        vault.demand{value: FEE}(USDC, holder);
        vm.warp(block.timestamp + 1);
        _post(_root(assets, 0));
        bytes memory answer;
        (ok, answer) =
            address(vault).call(abi.encodeCall(vault.refuteAbsent, (account, leaves, 3, 0, none)));
        require(ok || bytes4(answer) == Demands.NotRefuted.selector, "another error");
    }

    function test_neighbours_refute_a_demand_of_nobody() public {
        bytes32[] memory holders = _cash(100 * USDC, 50 * USDC, 10 * USDC)[0].holders;
        bytes32 between = bytes32(uint256(holders[0]) + 1);
        require(_absent(between, 0, 2), "between");
        require(_absent(0, 0, 1), "before the first");
        require(_absent(bytes32(type(uint256).max), 2, 1), "after the last");
        require(!_absent(holders[0], 0, 2), "the first itself");
        require(!_absent(holders[1], 0, 2), "the second itself");
        require(!_absent(holders[0], 0, 1), "first, alone");
        require(!_absent(holders[2], 2, 1), "last, alone");
        require(!_absent(between, 0, 1), "after the first, alone");
        require(!_absent(between, 2, 1), "before the last, alone");
        require(!_absent(between, 1, 2), "not between");
        require(!_absent(between, 0, 0), "no leaves");
        require(!_absent(between, 0, 3), "too many leaves");
    }

    function test_leaves_with_one_between_them_are_no_neighbours() public {
        Trees.Asset[] memory assets = _cash(100 * USDC, 50 * USDC, 10 * USDC);
        _demand(STRANGER, USDC);
        Leaf[] memory leaves = new Leaf[](2);
        (leaves[0], leaves[1]) = (_leaf(assets[0], 0), _leaf(assets[0], 2));
        bytes memory call = abi.encodeCall(vault.refuteAbsent, (STRANGER, leaves, 3, 0, none));
        _refused(STRANGER, call, Demands.NotRefuted.selector); // the root is not later
        vm.warp(block.timestamp + 1);
        _post(_root(assets, 0));
        _refused(STRANGER, call, Demands.NotRefuted.selector);
        leaves[0].holder = 0;
        _refused(
            STRANGER,
            abi.encodeCall(vault.refuteAbsent, (STRANGER, leaves, 3, 0, none)),
            StateTree.BadPath.selector
        );
    }

    function test_silence_freezes_and_a_root_of_the_same_seq_breaks_it() public {
        bytes memory freeze = abi.encodeCall(vault.freeze, ());
        vm.warp(block.timestamp + 7 days);
        _refused(STRANGER, freeze, Demands.TooEarly.selector);
        _post(_root(_cash(100 * USDC, 50 * USDC, 10 * USDC), 0));
        vm.warp(block.timestamp + 7 days);
        _refused(STRANGER, freeze, Demands.TooEarly.selector);
        vm.warp(block.timestamp + 1);
        vm.prank(STRANGER);
        vault.freeze();
        _refused(STRANGER, freeze, Governed.IsFrozen.selector);
    }

    function test_an_operator_that_refuses_the_fee_loses_it() public {
        vm.prank(TIMELOCK);
        vault.setOperator(address(token));
        _demand(ANN, 40 * USDC);
        vm.prank(address(token));
        vault.pay(_payment("a", ANN, ANN, 40 * USDC));
        vault.serve(ANN);
        _eq(address(vault).balance, FEE, "left");
    }
}
