// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Governed} from "../Governed.sol";
import {Payments} from "../Payments.sol";
import {Payment} from "../Types.sol";
import {VaultTest} from "./VaultTest.sol";

contract PaymentsTest is VaultTest {
    function setUp() public override {
        super.setUp();
        _deposit(ANN, 10_000 * USDC);
    }

    function _call(bytes32 ref, address account, address to, uint256 amount) private view returns (bytes memory) {
        return abi.encodeCall(vault.pay, (_payment(ref, account, to, amount)));
    }

    function test_pays_once_and_remembers() public {
        _pay("a", ANN, 5 * USDC);
        _eq(token.balanceOf(ANN), 5 * USDC, "paid");
        _eq(vault.paymentCount(), 1, "number");
        _eq(uint256(vault.refState("a")), 1, "paid ref");
        _eq(vault.spent(), 5 * USDC, "spent");
        (uint48 number1,,, uint48 number2, uint72 amount2, bool own2) = vault.unsettled(ANN);
        require(number1 == 0 && number2 == 1 && amount2 == 5 * USDC && own2, "remembered");
        _refused(OPERATOR, _call("a", ANN, ANN, USDC), Payments.RefUsed.selector);
    }

    function test_a_ref_is_used_once_within_a_batch() public {
        Payment[] memory list = new Payment[](2);
        list[0] = Payment("a", ANN, ANN, USDC);
        list[1] = Payment("a", BOB, BOB, USDC);
        _refused(OPERATOR, abi.encodeCall(vault.pay, (list)), Payments.RefUsed.selector);
    }

    function test_only_the_operator_pays() public {
        _refused(STRANGER, _call("a", ANN, ANN, USDC), Governed.NotOperator.selector);
        _refused(GUARDIAN, _call("a", ANN, ANN, USDC), Governed.NotOperator.selector);
        _refused(TIMELOCK, _call("a", ANN, ANN, USDC), Governed.NotOperator.selector);
    }

    function test_refuses_nothing_and_the_impossible() public {
        _refused(OPERATOR, _call("a", ANN, ANN, 0), Payments.BadPayment.selector);
        _refused(OPERATOR, _call("a", ANN, ANN, 1 << 53), Payments.BadPayment.selector);
        _refused(OPERATOR, _call("a", address(0), ANN, USDC), Payments.BadPayment.selector);
    }

    function test_a_third_unsettled_payment_waits_for_a_root() public {
        _pay("a", ANN, USDC);
        _pay("b", ANN, USDC);
        _refused(OPERATOR, _call("c", ANN, ANN, USDC), Payments.TooManyUnsettled.selector);
        _pay("d", BOB, USDC);
        _post(_root(_cash(9_997 * USDC, 0, 0), 0));
        _pay("c", ANN, USDC);
    }

    function test_bad_destinations_fail_alone() public {
        token.blacklist(CAT);
        token.burnGasFor(STRANGER);
        Payment[] memory list = new Payment[](6);
        list[0] = Payment("zero", ANN, address(0), USDC);
        list[1] = Payment("vault", ANN, address(vault), USDC);
        list[2] = Payment("token", ANN, address(token), USDC);
        list[3] = Payment("blacklisted", CAT, CAT, USDC);
        list[4] = Payment("gas", CAT, STRANGER, USDC);
        list[5] = Payment("good", BOB, BOB, 3 * USDC);
        vm.prank(OPERATOR);
        vault.pay(list);
        for (uint256 i = 0; i < 5; i++) {
            _eq(uint256(vault.refState(list[i].ref)), 2, "failed");
        }
        _eq(vault.paymentCount(), 1, "only the good one has a number");
        _eq(vault.spent(), 3 * USDC, "only the good one counts");
        _eq(token.balanceOf(BOB), 3 * USDC, "paid");
        (,,, uint48 number,,) = vault.unsettled(CAT);
        _eq(number, 0, "nothing to deduct");
        _refused(OPERATOR, _call("blacklisted", CAT, BOB, USDC), Payments.RefUsed.selector);
    }

    function test_a_token_that_answers_false_has_not_paid() public {
        token.answerFalse(true);
        _pay("a", ANN, USDC);
        _eq(uint256(vault.refState("a")), 2, "failed");
        _eq(vault.paymentCount(), 0, "no number");
    }

    function test_little_gas_cannot_make_a_payment_fail() public {
        vm.prank(OPERATOR);
        (bool ok, bytes memory answer) = address(vault).call{gas: 150_000}(_call("a", ANN, ANN, USDC));
        require(!ok && bytes4(answer) == Payments.NotEnoughGas.selector, "reverts");
    }

    function test_the_limit_is_that_of_any_24_hours() public {
        _pay("a", ANN, 600 * USDC);
        vm.warp(block.timestamp + 12 hours);
        _pay("b", BOB, 400 * USDC);
        _refused(OPERATOR, _call("c", CAT, CAT, 1), Payments.AboveLimit.selector);
        vm.warp(block.timestamp + 12 hours - 1);
        _refused(OPERATOR, _call("c", CAT, CAT, 1), Payments.AboveLimit.selector);
        vm.warp(block.timestamp + 1);
        _eq(vault.spent(), 400 * USDC, "the first is a day old");
        _pay("c", CAT, 600 * USDC);
        _refused(OPERATOR, _call("d", CAT, CAT, 1), Payments.AboveLimit.selector);
    }

    function test_a_window_of_many_batches_is_rolled_by_anybody() public {
        for (uint256 i = 1; i <= 110; i++) {
            _pay(bytes32(i), address(uint160(0x10000 + i)), 9 * USDC);
        }
        vm.warp(block.timestamp + 1 days);
        _eq(vault.spent(), 90 * USDC, "a hundred batches are rolled at a time");
        _refused(OPERATOR, _call("x", CAT, CAT, 920 * USDC), Payments.AboveLimit.selector);
        vm.prank(STRANGER);
        vault.roll(50);
        _eq(vault.spent(), 0, "rolled");
        _pay("x", CAT, 920 * USDC);
    }

    function test_the_guardian_lowers_and_pauses_the_timelock_undoes() public {
        vm.prank(GUARDIAN);
        vault.setLimit(10 * USDC);
        _refused(OPERATOR, _call("a", ANN, ANN, 11 * USDC), Payments.AboveLimit.selector);
        _refused(GUARDIAN, abi.encodeCall(vault.setLimit, (10 * USDC)), Governed.NotAllowed.selector);
        _refused(OPERATOR, abi.encodeCall(vault.setLimit, (1)), Governed.NotAllowed.selector);
        _refused(STRANGER, abi.encodeCall(vault.setLimit, (1)), Governed.NotAllowed.selector);
        vm.prank(TIMELOCK);
        vault.setLimit(20 * USDC);
        _pay("a", ANN, 11 * USDC);

        _refused(OPERATOR, abi.encodeCall(vault.pause, ()), Governed.NotGuardian.selector);
        vm.prank(GUARDIAN);
        vault.pause();
        _refused(OPERATOR, _call("b", ANN, ANN, USDC), Governed.IsPaused.selector);
        _refused(GUARDIAN, abi.encodeCall(vault.unpause, ()), Governed.NotTimelock.selector);
        vm.prank(TIMELOCK);
        vault.unpause();
        _pay("b", ANN, USDC);
    }

    function test_roles_change_by_the_timelock_only() public {
        bytes[3] memory calls = [
            abi.encodeCall(vault.setOperator, (STRANGER)),
            abi.encodeCall(vault.setGuardian, (STRANGER)),
            abi.encodeCall(vault.setResolver, (results))
        ];
        for (uint256 i = 0; i < calls.length; i++) {
            _refused(OPERATOR, calls[i], Governed.NotTimelock.selector);
            _refused(GUARDIAN, calls[i], Governed.NotTimelock.selector);
            vm.prank(TIMELOCK);
            (bool ok,) = address(vault).call(calls[i]);
            require(ok, "timelock");
        }
        require(vault.operator() == STRANGER && vault.guardian() == STRANGER, "changed");
        _refused(TIMELOCK, abi.encodeCall(vault.setOperator, (address(0))), Governed.BadConfig.selector);
        _refused(TIMELOCK, abi.encodeCall(vault.setGuardian, (address(0))), Governed.BadConfig.selector);
        _refused(OPERATOR, _call("a", ANN, ANN, USDC), Governed.NotOperator.selector);
    }

    function test_nothing_is_paid_when_halted_or_frozen() public {
        _post(_root(_cash(10_000 * USDC, 0, 0), 0));
        vm.prank(GUARDIAN);
        vault.veto(1);
        _refused(OPERATOR, _call("a", ANN, ANN, USDC), Governed.IsHalted.selector);
        _refused(GUARDIAN, abi.encodeCall(vault.resume, ()), Governed.NotTimelock.selector);
        vm.prank(TIMELOCK);
        vault.resume();
        _pay("a", ANN, USDC);
        _freeze();
        _refused(OPERATOR, _call("b", ANN, ANN, USDC), Governed.IsFrozen.selector);
        _refused(TIMELOCK, abi.encodeCall(vault.setResolver, (results)), Governed.IsFrozen.selector);
    }

    /// forge-config: default.fuzz.runs = 256
    function testFuzz_no_24_hours_pay_more_than_the_limit(uint32[20] memory gaps, uint32[20] memory sizes) public {
        uint256[20] memory times;
        uint256[20] memory paid;
        for (uint256 i = 0; i < 20; i++) {
            vm.warp(block.timestamp + gaps[i] % 10 hours);
            uint256 amount = 1 + uint256(sizes[i]) * 1000 % (700 * USDC);
            vm.prank(OPERATOR);
            (bool ok,) =
                address(vault).call(_call(bytes32(i + 1), address(uint160(0x10000 + i)), CAT, amount));
            (times[i], paid[i]) = (block.timestamp, ok ? amount : 0);
            uint256 sum = 0;
            for (uint256 j = 0; j <= i; j++) {
                if (times[j] + 1 days > block.timestamp) sum += paid[j];
            }
            require(sum <= vault.limit(), "above the limit");
            require(ok || sum + amount > vault.limit(), "refused below the limit");
            _eq(vault.spent(), sum, "spent");
        }
    }
}
