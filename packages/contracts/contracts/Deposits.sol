// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Governed} from "./Governed.sol";
import {StateTree} from "./StateTree.sol";
import {Authorization} from "./Types.sol";

/// @notice The part of EIP-3009 that the vault calls.
interface IReceiveWithAuthorization {
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

/// @title Numbered deposits
/// @notice Deposits are numbered from 1. A root names the last one that it includes; later ones are refunded after a freeze.
abstract contract Deposits is Governed {
    using SafeERC20 for IERC20;

    struct Deposit {
        /// First 20 bytes of keccak256(abi.encode(account, sender)).
        bytes20 party;
        /// Sum of all deposits up to this one.
        uint96 total;
    }

    /// @notice Smallest deposit: a deposit of dust costs more to record than it is worth.
    uint256 public immutable minDeposit;

    mapping(uint256 number => Deposit) public depositOf;

    event Deposited(uint256 indexed number, address indexed account, address indexed from, uint256 amount, uint256 total);

    error BadAmount();
    error BadAccount();
    error PermitRefused();
    error ReceivedOther(uint256 received);

    constructor(Config memory config) {
        minDeposit = config.minDeposit;
    }

    /// @notice Deposits the caller's money for an account. Anybody.
    function deposit(address account, uint256 amount) external returns (uint256 number) {
        return _deposit(account, msg.sender, amount);
    }

    /// @notice Deposits with the owner's permit for the owner's own account. Anybody may send it.
    /// @dev A permit that was used in advance by somebody else is no obstacle for the owner. A stranger needs one that works: an old
    /// allowance must not be enough to deposit somebody else's money.
    function depositWithPermit(address owner, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
        returns (uint256 number)
    {
        try IERC20Permit(address(token)).permit(owner, address(this), amount, deadline, v, r, s) {}
        catch {
            if (msg.sender != owner) revert PermitRefused();
        }
        return _deposit(owner, owner, amount);
    }

    /// @notice Deposits with an EIP-3009 authorization. Anybody may send it.
    /// @dev The nonce of the authorization is keccak256(abi.encode(account, salt)), so that the signature names the account.
    function depositWithAuthorization(Authorization calldata signed)
        external
        nonReentrant
        working
        returns (uint256 number)
    {
        _check(signed.account, signed.amount);
        uint256 before = token.balanceOf(address(this));
        IReceiveWithAuthorization(address(token)).receiveWithAuthorization(
            signed.from,
            address(this),
            signed.amount,
            signed.validAfter,
            signed.validBefore,
            keccak256(abi.encode(signed.account, signed.salt)),
            signed.v,
            signed.r,
            signed.s
        );
        return _record(signed.account, signed.from, signed.amount, before);
    }

    /// @notice Returns the sum of all deposits up to a number.
    function depositTotal(uint256 number) public view returns (uint256) {
        return depositOf[number].total;
    }

    /// @dev What `depositOf` keeps of the two addresses of a deposit.
    function _party(address account, address from) internal pure returns (bytes20) {
        return bytes20(keccak256(abi.encode(account, from)));
    }

    function _deposit(address account, address from, uint256 amount) private nonReentrant working returns (uint256) {
        _check(account, amount);
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(from, address(this), amount);
        return _record(account, from, amount, before);
    }

    function _check(address account, uint256 amount) private view {
        if (amount < minDeposit || amount > StateTree.MAX_AMOUNT) revert BadAmount();
        if (_isDeadEnd(account)) revert BadAccount();
    }

    function _record(address account, address from, uint256 amount, uint256 before) private returns (uint256 number) {
        uint256 received = token.balanceOf(address(this)) - before;
        if (received != amount) revert ReceivedOther(received);
        uint256 last = depositCount;
        number = last + 1;
        uint256 total = depositOf[last].total + amount;
        depositCount = uint48(number);
        depositOf[number] = Deposit(_party(account, from), uint96(total));
        emit Deposited(number, account, from, amount, total);
    }
}
