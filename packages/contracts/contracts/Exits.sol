// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Demands} from "./Demands.sol";
import {StateTree} from "./StateTree.sol";
import {Proof, Step} from "./Types.sol";

/// @title Exits after a freeze
/// @notice Members take what the last root says is theirs, without the operator.
abstract contract Exits is Demands {
    using SafeERC20 for IERC20;

    /// @notice After so long, conditions without a result pay the weights of the last root.
    uint256 public constant GRACE = 30 days;
    /// @notice One: weights are ten-thousandths, and so many millionths are a lot.
    uint256 private constant ONE = 10_000;
    /// @dev The asset under which the tree of weights is hashed. No outcome token has it.
    bytes32 private constant WEIGHTS = bytes32(type(uint256).max);

    /// @notice Paid so far for a leaf, by its holder, or for a refund, by its number.
    mapping(bytes32 key => uint256) public claimed;
    /// @notice Weight of a condition's Yes, plus 1; 0 while unknown. Fixed once.
    mapping(bytes32 condition => uint256) public weightOf;

    event Exited(
        address indexed account, address indexed to, bytes32 condition, uint8 outcome, uint256 amount, uint256 due
    );
    event Settled(bytes32 indexed condition, uint256 weight);
    event Refunded(uint256 indexed number, address indexed to, uint256 amount);

    error BadAsset();
    error BadDestination();
    error NothingDue();
    error NotSettled();
    error AlreadySettled();
    error NotKnown();
    error NotRefundable();

    /// @notice Pays the caller's USDC of the last root, less what was paid to them since. The caller is the account.
    function exit(Proof calldata proof, address to) external nonReentrant whenFrozen returns (uint256 paid) {
        if (proof.condition != 0 || proof.outcome != 0) revert BadAsset();
        bytes32 holder = _check(proof);
        uint256 deducted = _paidAfter(msg.sender, _settledPayments(), false);
        uint256 due = proof.amount > deducted ? proof.amount - deducted : 0;
        paid = _payOut(holder, due, to);
        emit Exited(msg.sender, to, 0, 0, paid, due);
    }

    /// @notice Pays the caller's outcome tokens of the last root at the weight of their condition, which must be settled. The caller is
    /// the account.
    function exitPosition(Proof calldata proof, address to) external nonReentrant whenFrozen returns (uint256 paid) {
        if (proof.condition == 0 || proof.outcome > 1) revert BadAsset();
        uint256 stored = weightOf[proof.condition];
        if (stored == 0) revert NotSettled();
        bytes32 holder = _check(proof);
        uint256 weight = proof.outcome == 0 ? stored - 1 : ONE - (stored - 1);
        uint256 due = proof.amount * weight;
        paid = _payOut(holder, due, to);
        emit Exited(msg.sender, to, proof.condition, proof.outcome, paid, due);
    }

    /// @notice Fixes the weight of a condition by the resolver's result, until `GRACE` is over. Anybody.
    function settle(bytes32 condition) external nonReentrant whenFrozen {
        if (block.timestamp >= frozenAt + GRACE) revert TooLate();
        if (address(resolver) == address(0)) revert NotKnown();
        (bool known, uint256 weight) = resolver.resultOf(condition);
        if (!known || weight > ONE) revert NotKnown();
        _settle(condition, weight);
    }

    /// @notice Fixes the weight of a condition by the last root, when `GRACE` is over: its result where the exchange knew it, else a half,
    /// and within an event equal parts that are one together. Anybody.
    function settleVoid(bytes32 condition, uint64 weight, uint64 index, uint64 conditions, Step[] calldata path)
        external
        nonReentrant
        whenFrozen
    {
        if (block.timestamp < frozenAt + GRACE) revert TooEarly();
        if (weight > ONE) revert NotKnown();
        (bytes32 total, uint256 sum) = StateTree.rootOf(condition, weight, index, conditions, path);
        bytes32 asset = StateTree.assetOf(WEIGHTS, type(uint8).max, conditions, total, sum);
        (bytes32 commitment,) = StateTree.rootOf(asset, 0, 0, 1, path[0:0]);
        if (commitment != roots[lastRoot].weights) revert StateTree.BadPath();
        _settle(condition, weight);
    }

    /// @notice Returns a deposit that the last root does not include to its sender. Anybody.
    function refund(uint256 number, address account, address from)
        external
        nonReentrant
        whenFrozen
        returns (uint256 paid)
    {
        if (
            number <= roots[lastRoot].deposits || number > depositCount
                || depositOf[number].party != _party(account, from)
        ) revert NotRefundable();
        paid = _payOut(bytes32(number), depositTotal(number) - depositTotal(number - 1), from);
        emit Refunded(number, from, paid);
    }

    /// @dev Reverts unless the last root says that the caller has what a proof says. Returns the caller's pseudonym.
    function _check(Proof calldata proof) internal view returns (bytes32 holder) {
        holder = StateTree.holderOf(proof.salt, msg.sender, proof.condition, proof.outcome);
        (bytes32 total, uint256 sum) =
            StateTree.rootOf(holder, proof.amount, proof.index, proof.holders, proof.path);
        _checkAsset(
            StateTree.assetOf(proof.condition, proof.outcome, proof.holders, total, sum), proof.place, proof.top
        );
    }

    /// @dev Pays what is due and not yet paid, as far as there is money. The rest may be claimed again.
    function _payOut(bytes32 key, uint256 due, address to) private returns (uint256 paid) {
        if (_isDeadEnd(to)) revert BadDestination();
        uint256 before = claimed[key];
        uint256 open = due - before;
        uint256 balance = token.balanceOf(address(this));
        paid = open < balance ? open : balance;
        if (paid == 0) revert NothingDue();
        claimed[key] = before + paid;
        token.safeTransfer(to, paid);
    }

    function _settle(bytes32 condition, uint256 weight) private {
        if (weightOf[condition] != 0) revert AlreadySettled();
        weightOf[condition] = weight + 1;
        emit Settled(condition, weight);
    }
}
