// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice A signed transfer to the vault (EIP-3009), for an account.
struct Authorization {
    address account;
    address from;
    uint256 amount;
    uint256 validAfter;
    uint256 validBefore;
    bytes32 salt;
    uint8 v;
    bytes32 r;
    bytes32 s;
}

/// @notice A withdrawal to pay. `ref` names it once for ever.
struct Payment {
    bytes32 ref;
    address account;
    address to;
    uint256 amount;
}

/// @notice A root of the exchange's state, as the operator posts it.
struct Root {
    /// Number of the signed root. Higher than every number posted before.
    uint40 n;
    /// Position of the last command included, and its time in milliseconds.
    uint48 seq;
    uint64 at;
    /// Number of the last deposit credited, and of the last payment settled, up to `seq`.
    uint48 deposits;
    uint48 payments;
    /// Number of assets in the tree.
    uint32 assets;
    /// Everything that the exchange owes, in millionths of USDC.
    uint64 custody;
    /// Root hash of the tree of all balances.
    bytes32 root;
    /// What each outcome token pays if nobody reports a result. See `Exits.settleVoid`.
    bytes32 weights;
    /// SHA-256 of the signed text of the root.
    bytes32 hash;
}

/// @notice A node beside a path: its hash and the sum of the amounts below it.
struct Step {
    bytes32 hash;
    uint64 sum;
}

/// @notice Proof of what an account holds of an asset. The asset is an outcome token, or USDC when `condition` and `outcome` are 0.
struct Proof {
    bytes32 condition;
    uint8 outcome;
    bytes32 salt;
    uint64 amount;
    uint64 index;
    uint64 holders;
    uint64 place;
    Step[] path;
    Step[] top;
}

/// @notice A leaf of the USDC tree and its path, without the account's name.
struct Leaf {
    bytes32 holder;
    uint64 amount;
    uint64 index;
    Step[] path;
}
