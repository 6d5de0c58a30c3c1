// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @title Source of results
/// @notice Says how a condition ended. A resolver must report all conditions of an event together, with weights whose sum is at most
/// 10 000 in that event, and must never change a result: the vault pays what it says.
interface IResolver {
    /// @return known Whether the result is final.
    /// @return weight What one Yes pays, in ten-thousandths of a USDC. A No pays the rest of 10 000.
    function resultOf(bytes32 condition) external view returns (bool known, uint256 weight);
}
