// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Deposits} from "../Deposits.sol";
import {Governed} from "../Governed.sol";
import {Authorization} from "../Types.sol";
import {TestUSDC} from "../TestUSDC.sol";
import {Vault} from "../Vault.sol";
import {VaultTest} from "./VaultTest.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

contract DepositsTest is VaultTest {
    uint256 private constant KEY = 0xa11ce;

    function test_deposits_are_numbered_and_summed() public {
        _deposit(ANN, 5 * USDC);
        _deposit(BOB, 7 * USDC);
        _eq(vault.depositCount(), 2, "two deposits");
        _eq(vault.depositTotal(1), 5 * USDC, "total after one");
        _eq(vault.depositTotal(2), 12 * USDC, "total after two");
        (bytes20 party,) = vault.depositOf(2);
        require(party == bytes20(keccak256(abi.encode(BOB, BOB))), "who");
        _eq(token.balanceOf(address(vault)), 12 * USDC, "balance");
    }

    function test_two_deposits_of_one_transaction_have_two_numbers() public {
        token.mint(address(this), 4 * USDC);
        token.approve(address(vault), 4 * USDC);
        _eq(vault.deposit(ANN, 2 * USDC), 1, "first");
        _eq(vault.deposit(ANN, 2 * USDC), 2, "second");
    }

    function test_refuses_dust_and_impossible_amounts() public {
        _refused(ANN, abi.encodeCall(vault.deposit, (ANN, USDC - 1)), Deposits.BadAmount.selector);
        _refused(ANN, abi.encodeCall(vault.deposit, (ANN, 1 << 53)), Deposits.BadAmount.selector);
    }

    function test_refuses_accounts_that_cannot_be() public {
        _refused(ANN, abi.encodeCall(vault.deposit, (address(0), USDC)), Deposits.BadAccount.selector);
        _refused(ANN, abi.encodeCall(vault.deposit, (address(vault), USDC)), Deposits.BadAccount.selector);
        _refused(ANN, abi.encodeCall(vault.deposit, (address(token), USDC)), Deposits.BadAccount.selector);
    }

    function test_refuses_a_token_that_takes_a_fee() public {
        token.mint(ANN, USDC);
        vm.prank(ANN);
        token.approve(address(vault), USDC);
        token.takeFee(true);
        _refused(ANN, abi.encodeCall(vault.deposit, (ANN, USDC)), Deposits.ReceivedOther.selector);
    }

    function test_refuses_without_allowance() public {
        token.mint(ANN, USDC);
        vm.prank(ANN);
        (bool ok,) = address(vault).call(abi.encodeCall(vault.deposit, (ANN, USDC)));
        require(!ok, "not allowed");
    }

    function test_refuses_when_halted_or_frozen_but_not_when_paused() public {
        vm.prank(GUARDIAN);
        vault.pause();
        _deposit(ANN, USDC);
        _post(_root(_cash(USDC, 0, 0), 0));
        vm.prank(GUARDIAN);
        vault.veto(1);
        _refused(ANN, abi.encodeCall(vault.deposit, (ANN, USDC)), Governed.IsHalted.selector);
        _freeze();
        _refused(ANN, abi.encodeCall(vault.deposit, (ANN, USDC)), Governed.IsFrozen.selector);
        _refused(
            ANN,
            abi.encodeCall(vault.depositWithAuthorization, (Authorization(ANN, ANN, USDC, 0, 0, 0, 0, 0, 0))),
            Governed.IsFrozen.selector
        );
    }

    function _permit(address owner, uint256 amount) private view returns (uint8, bytes32, bytes32) {
        bytes32 typehash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 message =
            keccak256(abi.encode(typehash, owner, vault, amount, token.nonces(owner), type(uint256).max));
        return vm.sign(KEY, keccak256(abi.encodePacked("\x19\x01", token.DOMAIN_SEPARATOR(), message)));
    }

    function test_a_stranger_deposits_with_a_permit_for_its_owner() public {
        address owner = vm.addr(KEY);
        token.mint(owner, 3 * USDC);
        (uint8 v, bytes32 r, bytes32 s) = _permit(owner, 3 * USDC);
        vm.prank(STRANGER);
        vault.depositWithPermit(owner, 3 * USDC, type(uint256).max, v, r, s);
        (bytes20 party,) = vault.depositOf(1);
        require(party == bytes20(keccak256(abi.encode(owner, owner))), "the owner's");
    }

    function test_an_old_allowance_is_not_enough_for_a_stranger_and_a_used_permit_is_for_the_owner() public {
        address owner = vm.addr(KEY);
        token.mint(owner, 3 * USDC);
        (uint8 v, bytes32 r, bytes32 s) = _permit(owner, 3 * USDC);
        vm.prank(STRANGER);
        token.permit(owner, address(vault), 3 * USDC, type(uint256).max, v, r, s);
        bytes memory call =
            abi.encodeCall(vault.depositWithPermit, (owner, 3 * USDC, type(uint256).max, v, r, s));
        _refused(STRANGER, call, Deposits.PermitRefused.selector);
        vm.prank(owner);
        vault.depositWithPermit(owner, 3 * USDC, type(uint256).max, v, r, s);
        _eq(vault.depositTotal(1), 3 * USDC, "deposited");
    }

    function _authorization(address account, uint256 amount) private view returns (Authorization memory signed) {
        address from = vm.addr(KEY);
        bytes32 nonce = keccak256(abi.encode(account, bytes32("salt")));
        bytes32 message = keccak256(
            abi.encode(
                token.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), from, vault, amount, 0, type(uint256).max, nonce
            )
        );
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(KEY, keccak256(abi.encodePacked("\x19\x01", token.DOMAIN_SEPARATOR(), message)));
        return Authorization(account, from, amount, 0, type(uint256).max, "salt", v, r, s);
    }

    function test_an_authorization_names_the_account() public {
        token.mint(vm.addr(KEY), 3 * USDC);
        Authorization memory signed = _authorization(ANN, 2 * USDC);
        signed.account = STRANGER;
        _refused(
            STRANGER, abi.encodeCall(vault.depositWithAuthorization, (signed)), TestUSDC.BadSignature.selector
        );
        signed.account = ANN;
        vm.prank(STRANGER);
        vault.depositWithAuthorization(signed);
        (bytes20 party,) = vault.depositOf(1);
        require(party == bytes20(keccak256(abi.encode(ANN, vm.addr(KEY)))), "for Ann");
        _refused(STRANGER, abi.encodeCall(vault.depositWithAuthorization, (signed)), TestUSDC.NonceUsed.selector);
        signed.amount = USDC - 1;
        _refused(
            STRANGER, abi.encodeCall(vault.depositWithAuthorization, (signed)), Deposits.BadAmount.selector
        );
    }

    function test_refuses_a_bad_configuration() public {
        for (uint256 i = 0; i < 5; i++) {
            Governed.Config memory config = _config();
            if (i == 0) config.token = IERC20(STRANGER);
            if (i == 1) config.operator = address(0);
            if (i == 2) config.guardian = address(0);
            if (i == 3) config.timelock = address(0);
            if (i == 4) config.minDeposit = 0;
            try new Vault(config) {
                revert("was not refused");
            } catch (bytes memory answer) {
                require(bytes4(answer) == Governed.BadConfig.selector, "another error");
            }
        }
    }

    /// forge-config: default.fuzz.runs = 256
    function testFuzz_totals_are_sums(uint64[8] memory amounts) public {
        uint256 total = 0;
        for (uint256 i = 0; i < amounts.length; i++) {
            uint256 amount = USDC + amounts[i] % (1 << 50);
            _deposit(ANN, amount);
            total += amount;
            _eq(vault.depositTotal(i + 1), total, "total");
        }
        _eq(token.balanceOf(address(vault)), total, "balance");
    }
}
