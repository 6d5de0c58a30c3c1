// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Governed} from "./Governed.sol";
import {StateTree} from "./StateTree.sol";
import {Payment} from "./Types.sol";

/// @title Payments of withdrawals
/// @notice Payments that succeed are numbered from 1. An account has at most two that no root includes, so that an exit can deduct them.
abstract contract Payments is Governed {
    /// @dev The two newest payments of an account, the older first, in one slot. `own` says that the money went to the account itself.
    struct Newest {
        uint48 number1;
        uint72 amount1;
        bool own1;
        uint48 number2;
        uint72 amount2;
        bool own2;
    }

    /// @dev A batch, known by the number of its last payment. Batches are a list by `next`.
    struct Batch {
        uint40 at;
        uint48 next;
        uint96 total;
    }

    enum RefState {
        NONE,
        PAID,
        FAILED
    }

    uint256 private constant WINDOW = 1 days;
    /// @dev Batches by which one payment moves the start of the window on.
    uint256 private constant ROLL_STEPS = 100;
    /// @dev Gas of one transfer. What needs more has failed.
    uint256 private constant TRANSFER_GAS = 100_000;

    mapping(uint256 number => Batch) public batchOf;
    /// @notice What became of a reference. A reference that failed is never paid.
    mapping(bytes32 ref => RefState) public refState;
    mapping(address account => Newest) public unsettled;

    event Paid(uint256 indexed number, bytes32 indexed ref, address indexed account, address to, uint256 amount);
    event PaymentFailed(bytes32 indexed ref, address indexed account, address to, uint256 amount);
    event BatchPaid(uint256 indexed lastNumber, uint256 total);

    error RefUsed(bytes32 ref);
    error BadPayment(bytes32 ref);
    error TooManyUnsettled(address account);
    error AboveLimit(uint256 spent, uint256 limit);
    error NotEnoughGas();

    /// @notice Pays withdrawals. Operator.
    /// @dev Mistakes of the operator revert the whole batch. A destination that does not take money fails alone.
    function pay(Payment[] calldata payments) external nonReentrant onlyOperator working {
        if (paused) revert IsPaused();
        uint256 first = paymentCount;
        uint256 last = first;
        uint256 settled = _settledPayments();
        uint256 total = batchOf[first].total;
        for (uint256 i = 0; i < payments.length; i++) {
            if (!_pay(payments[i], last + 1, settled)) continue;
            last++;
            total += payments[i].amount;
        }
        if (last == first) return;
        uint256 start = _start(ROLL_STEPS);
        uint256 inWindow = total - batchOf[start].total;
        if (inWindow > limit) revert AboveLimit(inWindow, limit);
        paymentCount = uint48(last);
        _windowStart = uint48(start);
        batchOf[first].next = uint48(last);
        batchOf[last] = Batch(uint40(block.timestamp), 0, uint96(total));
        emit BatchPaid(last, total);
    }

    /// @notice Moves the start of the 24-hour window on. Anybody. Needed only after a day of more than 100 batches.
    function roll(uint256 steps) external {
        _windowStart = uint48(_start(steps));
    }

    /// @notice Returns what was paid within the last 24 hours; more when `roll` is needed.
    function spent() external view returns (uint256) {
        return batchOf[paymentCount].total - batchOf[_start(ROLL_STEPS)].total;
    }

    /// @dev Number of the last payment that the last root includes.
    function _settledPayments() internal view virtual returns (uint256);

    /// @dev What was paid to an account after a payment; only to the account itself if `own`.
    function _paidAfter(address account, uint256 number, bool own) internal view returns (uint256 amount) {
        Newest memory newest = unsettled[account];
        if (newest.number1 > number && (!own || newest.own1)) amount = newest.amount1;
        if (newest.number2 > number && (!own || newest.own2)) amount += newest.amount2;
    }

    function _pay(Payment calldata payment, uint256 number, uint256 settled) private returns (bool) {
        (bytes32 ref, address account, address to, uint256 amount) =
            (payment.ref, payment.account, payment.to, payment.amount);
        if (refState[ref] != RefState.NONE) revert RefUsed(ref);
        if (amount == 0 || amount > StateTree.MAX_AMOUNT || account == address(0)) revert BadPayment(ref);
        Newest memory newest = unsettled[account];
        if (newest.number1 > settled) revert TooManyUnsettled(account);

        refState[ref] = RefState.PAID;
        unsettled[account] =
            Newest(newest.number2, newest.amount2, newest.own2, uint48(number), uint72(amount), to == account);
        if (_send(to, amount)) {
            emit Paid(number, ref, account, to, amount);
            return true;
        }
        refState[ref] = RefState.FAILED;
        unsettled[account] = newest;
        emit PaymentFailed(ref, account, to, amount);
        return false;
    }

    /// @dev Transfers with limited gas, and answers whether it worked. The check before keeps a caller from making a transfer fail by
    /// sending little gas with the transaction.
    function _send(address to, uint256 amount) private returns (bool) {
        if (_isDeadEnd(to)) return false;
        if (gasleft() < TRANSFER_GAS * 64 / 63 + 10_000) revert NotEnoughGas();
        (bool ok, bytes memory answer) =
            address(token).call{gas: TRANSFER_GAS}(abi.encodeCall(IERC20.transfer, (to, amount)));
        return ok && answer.length == 32 && uint256(bytes32(answer)) == 1;
    }

    /// @dev The last batch older than the window, found in at most so many steps.
    function _start(uint256 steps) private view returns (uint256 start) {
        start = _windowStart;
        for (uint256 i = 0; i < steps; i++) {
            uint256 next = batchOf[start].next;
            if (next == 0 || batchOf[next].at + WINDOW > block.timestamp) break;
            start = next;
        }
    }
}
