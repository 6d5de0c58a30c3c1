// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Step} from "./Types.sol";

/// @title Merkle-sum tree of the exchange's state
/// @notice Byte for byte the tree of `packages/signing/src/state-tree.ts`: SHA-256, amounts in 8 bytes, big-endian.
/// Each kind of node starts with its own byte, so that no kind can pass for another.
library StateTree {
    uint8 private constant LEAF = 0;
    uint8 private constant NODE = 1;
    uint8 private constant ASSET = 2;

    /// @notice Largest amount and largest sum: 2^53 - 1, the largest exact integer of the programs that build the tree.
    uint256 internal constant MAX_AMOUNT = (1 << 53) - 1;

    /// @notice The proof does not lead to a root: an index, a path or an amount is impossible.
    error BadPath();

    /// @notice Returns the pseudonym of an account that holds an asset.
    function holderOf(bytes32 salt, address account, bytes32 condition, uint8 outcome) internal pure returns (bytes32) {
        return sha256(abi.encodePacked(salt, account, condition, outcome));
    }

    /// @notice Returns the hash of an asset in the tree over all assets.
    function assetOf(bytes32 condition, uint8 outcome, uint256 holders, bytes32 total, uint256 sum)
        internal
        pure
        returns (bytes32)
    {
        return sha256(abi.encodePacked(ASSET, condition, outcome, total, uint64(sum), bytes32(0), uint64(holders)));
    }

    /// @notice Returns the root and its sum that a leaf, its index, the number of leaves and the nodes beside its path lead to.
    /// @dev The last node of an odd level is promoted unchanged. Reverts with `BadPath` when they do not fit.
    function rootOf(bytes32 holder, uint256 amount, uint256 index, uint256 count, Step[] calldata path)
        internal
        view
        returns (bytes32 hash, uint256 sum)
    {
        if (index >= count || count > MAX_AMOUNT || amount > MAX_AMOUNT) revert BadPath();
        hash = sha256(abi.encodePacked(LEAF, holder, uint64(amount)));
        sum = amount;
        uint256 used = 0;
        for (uint256 size = count; size > 1; size = (size + 1) >> 1) {
            if ((index ^ 1) < size) {
                if (used == path.length) revert BadPath();
                Step calldata beside = path[used++];
                hash = index & 1 == 0
                    ? _parent(hash, sum, beside.hash, beside.sum)
                    : _parent(beside.hash, beside.sum, hash, sum);
                sum += beside.sum;
                if (sum > MAX_AMOUNT) revert BadPath();
            }
            index >>= 1;
        }
        if (used != path.length) revert BadPath();
    }

    /// @dev SHA-256 of `NODE`, then hash and sum (8 bytes) of both nodes: the same as with `abi.encodePacked`, for half the gas.
    function _parent(bytes32 left, uint256 leftSum, bytes32 right, uint256 rightSum) private view returns (bytes32 hash) {
        assembly ("memory-safe") {
            let text := mload(0x40)
            mstore8(text, NODE)
            mstore(add(text, 1), left)
            mstore(add(text, 33), shl(192, leftSum))
            mstore(add(text, 41), right)
            mstore(add(text, 73), shl(192, rightSum))
            if iszero(staticcall(gas(), 2, text, 81, 0, 32)) { revert(0, 0) }
            hash := mload(0)
        }
    }
}
