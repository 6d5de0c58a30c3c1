// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TestUSDC} from "../TestUSDC.sol";

/// @notice USDC that a test can make refuse an address, take a fee, or burn gas.
contract MoodyUSDC is TestUSDC {
    mapping(address => bool) public blacklisted;
    mapping(address => bool) public burnsGas;
    bool public takesFee;
    bool public answersFalse;

    function blacklist(address account) external {
        blacklisted[account] = true;
    }

    function burnGasFor(address account) external {
        burnsGas[account] = true;
    }

    function takeFee(bool on) external {
        takesFee = on;
    }

    function answerFalse(bool on) external {
        answersFalse = on;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        if (answersFalse) return false;
        return super.transfer(to, value);
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!blacklisted[to], "blacklisted");
        while (burnsGas[to]) {}
        super._update(from, to, value);
        if (takesFee && from != address(0) && to != address(0)) super._update(to, address(1), 1);
    }
}
