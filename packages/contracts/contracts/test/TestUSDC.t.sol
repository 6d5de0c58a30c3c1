// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TestUSDC} from "../TestUSDC.sol";
import {VaultTest} from "./VaultTest.sol";

contract TestUSDCTest is VaultTest {
    uint256 private constant KEY = 0xb0b;

    function test_refuses_chains_where_money_is_real() public {
        uint24[5] memory ids = [uint24(1), 10, 137, 8453, 42161];
        for (uint256 i = 0; i < ids.length; i++) {
            vm.chainId(ids[i]);
            try new TestUSDC() {
                revert("was not refused");
            } catch (bytes memory answer) {
                require(bytes4(answer) == TestUSDC.RealChain.selector, "another error");
            }
        }
        vm.chainId(80002);
        _eq(new TestUSDC().decimals(), 6, "decimals");
    }

    function _call(bool receive_, address to, uint256 after_, uint256 before, bytes32 nonce)
        private
        view
        returns (bytes memory)
    {
        address from = vm.addr(KEY);
        bytes32 typehash =
            receive_ ? token.RECEIVE_WITH_AUTHORIZATION_TYPEHASH() : token.TRANSFER_WITH_AUTHORIZATION_TYPEHASH();
        bytes32 message = keccak256(abi.encode(typehash, from, to, USDC, after_, before, nonce));
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(KEY, keccak256(abi.encodePacked("\x19\x01", token.DOMAIN_SEPARATOR(), message)));
        bytes memory args = abi.encode(from, to, USDC, after_, before, nonce, v, r, s);
        bytes4 selector =
            receive_ ? TestUSDC.receiveWithAuthorization.selector : TestUSDC.transferWithAuthorization.selector;
        return bytes.concat(selector, args);
    }

    function _token(address caller, bytes memory call) private returns (bytes4) {
        vm.prank(caller);
        (bool ok, bytes memory answer) = address(token).call(call);
        return ok ? bytes4(0) : bytes4(answer);
    }

    function test_authorizations_are_signed_timely_and_used_once() public {
        token.mint(vm.addr(KEY), 10 * USDC);
        uint256 now_ = block.timestamp;
        bytes memory call = _call(false, BOB, now_ - 1, now_ + 1, "a");
        require(_token(STRANGER, call) == 0, "transferred");
        _eq(token.balanceOf(BOB), USDC, "to Bob");
        require(_token(STRANGER, call) == TestUSDC.NonceUsed.selector, "once");
        require(_token(BOB, _call(false, BOB, now_, now_ + 1, "b")) == TestUSDC.NotNow.selector, "early");
        require(_token(BOB, _call(false, BOB, now_ - 1, now_, "b")) == TestUSDC.NotNow.selector, "late");
        call = _call(true, BOB, now_ - 1, now_ + 1, "c");
        require(_token(STRANGER, call) == TestUSDC.NotPayee.selector, "payee only");
        require(_token(BOB, call) == 0, "received");
        call = _call(true, BOB, now_ - 1, now_ + 1, "d");
        call[67] = bytes1(uint8(call[67]) ^ 1);
        require(_token(BOB, call) != 0, "changed");
    }
}
