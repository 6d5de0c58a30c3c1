// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Depositor, DepositorFactory} from "../Depositor.sol";
import {TestUSDC} from "../TestUSDC.sol";
import {VaultTest} from "./VaultTest.sol";

contract DepositorTest is VaultTest {
    DepositorFactory private factory;

    function setUp() public override {
        super.setUp();
        factory = new DepositorFactory(vault);
    }

    function test_sweeps_to_the_account_again_and_again() public {
        address at = factory.addressOf(ANN);
        address[] memory accounts = new address[](1);
        accounts[0] = ANN;
        for (uint256 i = 1; i <= 2; i++) {
            token.mint(at, 5 * USDC);
            vm.prank(STRANGER);
            factory.sweep(accounts);
            _eq(vault.depositTotal(i), i * 5 * USDC, "deposited");
            (bytes20 party,) = vault.depositOf(i);
            require(party == bytes20(keccak256(abi.encode(ANN, at))), "for Ann, from her address");
        }
        require(at != ANN && factory.addressOf(BOB) != at, "an address of its own");
    }

    function test_dust_does_not_hold_up_others_and_is_rescued_by_its_account() public {
        address[] memory accounts = new address[](2);
        (accounts[0], accounts[1]) = (ANN, BOB);
        token.mint(factory.addressOf(ANN), USDC - 1);
        token.mint(factory.addressOf(BOB), 3 * USDC);
        factory.sweep(accounts);
        _eq(vault.depositTotal(1), 3 * USDC, "Bob's");
        vm.prank(STRANGER);
        factory.rescue(token, STRANGER);
        _eq(token.balanceOf(STRANGER), 0, "only their own");
        vm.prank(ANN);
        factory.rescue(token, CAT);
        _eq(token.balanceOf(CAT), USDC - 1, "rescued");
    }

    function test_a_wrong_token_is_rescued_and_a_refund_too() public {
        TestUSDC wrong = new TestUSDC();
        address at = factory.addressOf(ANN);
        wrong.mint(at, 7);
        vm.prank(ANN);
        factory.rescue(wrong, BOB);
        _eq(wrong.balanceOf(BOB), 7, "rescued");
        token.mint(at, 5 * USDC);
        factory.sweepOne(ANN);
        _freeze();
        vault.refund(1, ANN, at);
        vm.prank(ANN);
        factory.rescue(token, BOB);
        _eq(token.balanceOf(BOB), 5 * USDC, "refunded and rescued");
    }

    function test_nobody_commands_a_depositor_but_the_factory() public {
        token.mint(factory.addressOf(ANN), 5 * USDC);
        factory.sweepOne(ANN);
        Depositor depositor = Depositor(factory.addressOf(ANN));
        bytes[2] memory calls = [
            abi.encodeCall(depositor.sweep, (vault, token, STRANGER)),
            abi.encodeCall(depositor.rescue, (token, STRANGER))
        ];
        for (uint256 i = 0; i < 2; i++) {
            vm.prank(STRANGER);
            (bool ok, bytes memory answer) = address(depositor).call(calls[i]);
            require(!ok && bytes4(answer) == Depositor.NotFactory.selector, "refused");
        }
    }
}
