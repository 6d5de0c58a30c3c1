// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Step} from "../Types.sol";

/// @notice Builds Merkle-sum trees in memory, written apart from the vault's own check.
library Trees {
    /// @dev An asset and its holders, sorted by holder.
    struct Asset {
        bytes32 condition;
        uint8 outcome;
        bytes32[] holders;
        uint64[] amounts;
    }

    function leafOf(bytes32 holder, uint64 amount) internal pure returns (Step memory) {
        return Step(sha256(abi.encodePacked(uint8(0), holder, amount)), amount);
    }

    /// @dev All levels of a tree, from the leaves to the root.
    function levels(Step[] memory leaves) internal pure returns (Step[][] memory all) {
        uint256 depth = 1;
        for (uint256 size = leaves.length; size > 1; size = (size + 1) / 2) {
            depth++;
        }
        all = new Step[][](depth);
        all[0] = leaves;
        for (uint256 level = 1; level < depth; level++) {
            Step[] memory below = all[level - 1];
            all[level] = new Step[]((below.length + 1) / 2);
            for (uint256 i = 0; i < below.length; i += 2) {
                all[level][i / 2] = i + 1 == below.length ? below[i] : parentOf(below[i], below[i + 1]);
            }
        }
    }

    function parentOf(Step memory left, Step memory right) internal pure returns (Step memory) {
        return Step(
            sha256(abi.encodePacked(uint8(1), left.hash, left.sum, right.hash, right.sum)), left.sum + right.sum
        );
    }

    function rootOf(Step[] memory leaves) internal pure returns (Step memory) {
        Step[][] memory all = levels(leaves);
        return all[all.length - 1][0];
    }

    function pathOf(Step[] memory leaves, uint256 index) internal pure returns (Step[] memory path) {
        Step[][] memory all = levels(leaves);
        uint256 length = 0;
        path = new Step[](all.length);
        for (uint256 level = 0; level < all.length; level++) {
            if ((index ^ 1) < all[level].length) path[length++] = all[level][index ^ 1];
            index /= 2;
        }
        assembly ("memory-safe") {
            mstore(path, length)
        }
    }

    function leavesOf(Asset memory asset) internal pure returns (Step[] memory leaves) {
        leaves = new Step[](asset.holders.length);
        for (uint256 i = 0; i < leaves.length; i++) {
            leaves[i] = leafOf(asset.holders[i], asset.amounts[i]);
        }
    }

    function assetHash(Asset memory asset) internal pure returns (bytes32) {
        Step memory total = rootOf(leavesOf(asset));
        return sha256(
            abi.encodePacked(
                uint8(2),
                asset.condition,
                asset.outcome,
                total.hash,
                total.sum,
                bytes32(0),
                uint64(asset.holders.length)
            )
        );
    }

    /// @dev The leaves of the tree over all assets.
    function topsOf(Asset[] memory assets) internal pure returns (Step[] memory tops) {
        tops = new Step[](assets.length);
        for (uint256 i = 0; i < tops.length; i++) {
            tops[i] = leafOf(assetHash(assets[i]), 0);
        }
    }

    /// @dev Sorts holders with their amounts.
    function sort(Asset memory asset) internal pure {
        for (uint256 i = 1; i < asset.holders.length; i++) {
            for (uint256 j = i; j > 0 && asset.holders[j] < asset.holders[j - 1]; j--) {
                (asset.holders[j], asset.holders[j - 1]) = (asset.holders[j - 1], asset.holders[j]);
                (asset.amounts[j], asset.amounts[j - 1]) = (asset.amounts[j - 1], asset.amounts[j]);
            }
        }
    }
}
