// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Governed} from "../Governed.sol";
import {Roots} from "../Roots.sol";
import {Payment, Root} from "../Types.sol";
import {VaultTest} from "./VaultTest.sol";

contract RootsTest is VaultTest {
    function setUp() public override {
        super.setUp();
        _deposit(ANN, 100 * USDC);
        _deposit(BOB, 50 * USDC);
    }

    function _honest() private view returns (Root memory) {
        return _root(_cash(100 * USDC, 50 * USDC, 0), 0);
    }

    function _refusedRoot(Root memory root, bytes4 selector) private {
        _refused(OPERATOR, abi.encodeCall(vault.post, (root)), selector);
    }

    function test_a_root_stands_when_custody_is_what_came_in_less_what_was_paid() public {
        _pay("a", ANN, 30 * USDC);
        Root memory root = _root(_cash(70 * USDC, 50 * USDC, 0), "w");
        _eq(root.custody, 120 * USDC, "custody");
        _post(root);
        _eq(vault.lastRoot(), 1, "stands");
        (bytes32 hash, bytes32 weights,,, uint40 postedAt, uint48 deposits, uint48 payments, uint32 assets) =
            vault.roots(1);
        require(hash == root.root && weights == "w" && postedAt == block.timestamp, "kept");
        require(deposits == 2 && payments == 1 && assets == 1, "numbers kept");
    }

    function test_custody_may_not_be_higher_or_lower() public {
        Root memory root = _honest();
        root.custody += 1;
        _refusedRoot(root, Roots.WrongCustody.selector);
        root.custody -= 2;
        _refusedRoot(root, Roots.WrongCustody.selector);
        root.deposits = 1;
        _refusedRoot(root, Roots.WrongCustody.selector);
    }

    function test_a_root_ends_at_a_batch() public {
        Payment[] memory list = new Payment[](2);
        list[0] = Payment("a", ANN, ANN, USDC);
        list[1] = Payment("b", BOB, BOB, USDC);
        vm.prank(OPERATOR);
        vault.pay(list);
        Root memory root = _honest();
        root.payments = 1;
        _refusedRoot(root, Roots.NotABatch.selector);
        root.payments = 2;
        root.custody = uint64(148 * USDC);
        _post(root);
    }

    function test_nothing_goes_back_or_ahead() public {
        _pay("a", ANN, USDC);
        Root memory first = _root(_cash(99 * USDC, 50 * USDC, 0), 0);
        first.n = 5;
        first.seq = 9;
        _post(first);
        Root memory root = first;
        _refusedRoot(root, Roots.OutOfOrder.selector);
        root.n = 4;
        _refusedRoot(root, Roots.OutOfOrder.selector);
        root.n = 6;
        root.seq = 8;
        _refusedRoot(root, Roots.OutOfOrder.selector);
        root.seq = 9;
        root.deposits = 1;
        _refusedRoot(root, Roots.OutOfOrder.selector);
        root.deposits = 3;
        _refusedRoot(root, Roots.OutOfOrder.selector);
        root.deposits = 2;
        root.payments = 0;
        _refusedRoot(root, Roots.OutOfOrder.selector);
        root.payments = 2;
        _refusedRoot(root, Roots.OutOfOrder.selector);
        root.payments = 1;
        _post(root); // the same seq with a higher number
        _eq(vault.lastRoot(), 6, "stands");
    }

    function test_a_root_is_empty_exactly_when_nothing_is_owed() public {
        Root memory root = _honest();
        root.assets = 0;
        _refusedRoot(root, Roots.EmptyRoot.selector);
        root = _honest();
        root.root = 0;
        _refusedRoot(root, Roots.EmptyRoot.selector);
        _pay("a", ANN, 100 * USDC);
        _pay("b", BOB, 50 * USDC);
        root = _root(_cash(1, 0, 0), 0);
        _refusedRoot(root, Roots.EmptyRoot.selector);
        (root.assets, root.root) = (0, 0);
        _post(root);
    }

    function test_only_the_operator_posts() public {
        _refused(STRANGER, abi.encodeCall(vault.post, (_honest())), Governed.NotOperator.selector);
        _refused(GUARDIAN, abi.encodeCall(vault.post, (_honest())), Governed.NotOperator.selector);
    }

    function test_a_veto_cancels_a_root_and_all_after_it() public {
        for (uint256 i = 0; i < 3; i++) {
            _post(_honest());
        }
        _refused(OPERATOR, abi.encodeCall(vault.veto, (2)), Governed.NotGuardian.selector);
        _refused(GUARDIAN, abi.encodeCall(vault.veto, (4)), Roots.NotStanding.selector);
        _refused(GUARDIAN, abi.encodeCall(vault.veto, (0)), Roots.NotStanding.selector);
        vm.prank(GUARDIAN);
        vault.veto(2);
        _eq(vault.lastRoot(), 1, "the one before stands");
        _refusedRoot(_honest(), Governed.IsHalted.selector);
        _refused(GUARDIAN, abi.encodeCall(vault.veto, (3)), Roots.NotStanding.selector);
        vm.prank(TIMELOCK);
        vault.resume();
        Root memory root = _honest();
        root.n = 3;
        _refusedRoot(root, Roots.OutOfOrder.selector);
        _post(_honest());
        _eq(vault.lastRoot(), 4, "numbers go on");
        _refused(GUARDIAN, abi.encodeCall(vault.veto, (2)), Roots.NotStanding.selector);
        vm.prank(GUARDIAN);
        vault.veto(1);
        _eq(vault.lastRoot(), 0, "none stands");
    }

    function test_a_veto_comes_within_the_period_and_before_a_freeze() public {
        _post(_honest());
        vm.warp(block.timestamp + 7 days);
        _post(_honest());
        vm.warp(block.timestamp + 1);
        _refused(GUARDIAN, abi.encodeCall(vault.veto, (1)), Roots.TooLate.selector);
        vm.warp(block.timestamp + 7 days);
        vault.freeze();
        _refused(GUARDIAN, abi.encodeCall(vault.veto, (2)), Governed.IsFrozen.selector);
        _refusedRoot(_honest(), Governed.IsFrozen.selector);
    }
}
