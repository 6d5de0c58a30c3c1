// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IResolver} from "./IResolver.sol";

/// @title Roles, limit and switches of the vault
/// @notice The operator pays and posts. The guardian can only stop things. The timelock changes roles and raises the limit, after its delay.
/// None of them can move money of members outside `pay` and its limit.
abstract contract Governed is ReentrancyGuardTransient {
    struct Config {
        IERC20 token;
        address operator;
        address guardian;
        address timelock;
        IResolver resolver;
        uint256 limit;
        uint256 minDeposit;
        uint256 demandFee;
    }

    /// @notice The only money of the vault: an ERC-20 with 6 decimals that takes no fee on transfers.
    IERC20 public immutable token;
    address public immutable timelock;

    address public operator;
    /// @notice Payments are stopped until the timelock allows them.
    bool public paused;
    /// @notice A root was vetoed: payments, roots and deposits are stopped until the timelock allows them.
    bool public halted;
    /// @notice When the vault was frozen; 0 while it works. Afterwards nothing but exits and refunds moves money.
    uint40 public frozenAt;

    address public guardian;
    IResolver public resolver;
    /// @notice Most that is paid in any 24 hours.
    uint256 public limit;

    // Counters share a slot: most calls read several of them.
    /// @notice Number of the last deposit.
    uint48 public depositCount;
    /// @notice Number of the last payment.
    uint48 public paymentCount;
    /// @dev Number of the last payment of the last batch that is older than 24 hours.
    uint48 internal _windowStart;
    /// @notice Number of the root that stands; 0 before the first.
    uint40 public lastRoot;
    /// @notice Highest number of a root ever posted, vetoed or not.
    uint40 public lastPosted;

    event Paused();
    event Unpaused();
    event Resumed();
    event LimitChanged(uint256 limit);
    event OperatorChanged(address operator);
    event GuardianChanged(address guardian);
    event ResolverChanged(IResolver resolver);

    error NotOperator();
    error NotGuardian();
    error NotTimelock();
    error NotAllowed();
    error BadConfig();
    error IsPaused();
    error IsHalted();
    error IsFrozen();
    error NotFrozen();

    modifier onlyOperator() {
        if (msg.sender != operator) revert NotOperator();
        _;
    }

    modifier onlyGuardian() {
        if (msg.sender != guardian) revert NotGuardian();
        _;
    }

    modifier onlyTimelock() {
        if (msg.sender != timelock) revert NotTimelock();
        _;
    }

    modifier working() {
        if (frozenAt != 0) revert IsFrozen();
        if (halted) revert IsHalted();
        _;
    }

    modifier notFrozen() {
        if (frozenAt != 0) revert IsFrozen();
        _;
    }

    modifier whenFrozen() {
        if (frozenAt == 0) revert NotFrozen();
        _;
    }

    constructor(Config memory config) {
        if (
            address(config.token).code.length == 0 || config.operator == address(0) || config.guardian == address(0)
                || config.timelock == address(0) || config.minDeposit == 0
        ) revert BadConfig();
        token = config.token;
        timelock = config.timelock;
        operator = config.operator;
        guardian = config.guardian;
        resolver = config.resolver;
        limit = config.limit;
    }

    /// @notice Stops payments. Guardian.
    function pause() external onlyGuardian {
        paused = true;
        emit Paused();
    }

    /// @notice Allows payments again. Timelock.
    function unpause() external onlyTimelock {
        paused = false;
        emit Unpaused();
    }

    /// @notice Ends the halt after a veto. Timelock.
    function resume() external onlyTimelock {
        halted = false;
        emit Resumed();
    }

    /// @notice Sets the limit of 24 hours. The guardian may only lower it, the timelock sets any.
    function setLimit(uint256 to) external {
        if (msg.sender != timelock && (msg.sender != guardian || to >= limit)) revert NotAllowed();
        limit = to;
        emit LimitChanged(to);
    }

    /// @notice Replaces the operator. Timelock.
    function setOperator(address to) external onlyTimelock {
        if (to == address(0)) revert BadConfig();
        operator = to;
        emit OperatorChanged(to);
    }

    /// @notice Replaces the guardian. Timelock.
    function setGuardian(address to) external onlyTimelock {
        if (to == address(0)) revert BadConfig();
        guardian = to;
        emit GuardianChanged(to);
    }

    /// @notice Replaces the source of results. Timelock, never after a freeze.
    function setResolver(IResolver to) external onlyTimelock notFrozen {
        resolver = to;
        emit ResolverChanged(to);
    }

    /// @dev Whether money sent there would be lost, or would never leave.
    function _isDeadEnd(address to) internal view returns (bool) {
        return to == address(0) || to == address(this) || to == address(token);
    }
}
