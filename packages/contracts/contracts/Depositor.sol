// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Vault} from "./Vault.sol";

/// @title Deposit address of one account
/// @notice Sends what lies there into the vault for its account, or back to the account. It can do nothing else.
contract Depositor {
    using SafeERC20 for IERC20;

    DepositorFactory private immutable FACTORY;

    error NotFactory();

    constructor() {
        FACTORY = DepositorFactory(msg.sender);
    }

    modifier onlyFactory() {
        if (msg.sender != address(FACTORY)) revert NotFactory();
        _;
    }

    /// @notice Deposits everything that lies here for an account. Factory.
    function sweep(Vault vault, IERC20 token, address account) external onlyFactory returns (uint256 amount) {
        amount = token.balanceOf(address(this));
        token.forceApprove(address(vault), amount);
        vault.deposit(account, amount);
    }

    /// @notice Sends everything of a token to an address. Factory.
    function rescue(IERC20 token, address to) external onlyFactory returns (uint256 amount) {
        amount = token.balanceOf(address(this));
        token.safeTransfer(to, amount);
    }
}

/// @title Deposit addresses
/// @notice Every account has one deposit address, known before anything is deployed there. It is not the account's proxy wallet: what lies
/// at it may be swept into the vault by anybody.
contract DepositorFactory {
    Vault public immutable vault;
    IERC20 public immutable token;
    address public immutable implementation;

    event Swept(address indexed account, uint256 amount);
    event SweepFailed(address indexed account);
    event Rescued(address indexed account, IERC20 indexed token, address indexed to, uint256 amount);

    constructor(Vault vault_) {
        vault = vault_;
        token = vault_.token();
        implementation = address(new Depositor());
    }

    /// @notice Returns the deposit address of an account.
    function addressOf(address account) public view returns (address) {
        return Clones.predictDeterministicAddress(implementation, _salt(account), address(this));
    }

    /// @notice Sends what lies at the deposit addresses of accounts into the vault. Anybody. One that fails does not hold up the others.
    function sweep(address[] calldata accounts) external {
        for (uint256 i = 0; i < accounts.length; i++) {
            try this.sweepOne(accounts[i]) returns (uint256 amount) {
                emit Swept(accounts[i], amount);
            } catch {
                emit SweepFailed(accounts[i]);
            }
        }
    }

    /// @notice Sends what lies at one deposit address into the vault. Anybody.
    function sweepOne(address account) external returns (uint256) {
        return _depositorOf(account).sweep(vault, token, account);
    }

    /// @notice Sends everything of a token that lies at the caller's own deposit address to an address. The caller is the account.
    /// For a wrong token, for less than the smallest deposit, and for refunds.
    function rescue(IERC20 wrong, address to) external returns (uint256 amount) {
        amount = _depositorOf(msg.sender).rescue(wrong, to);
        emit Rescued(msg.sender, wrong, to, amount);
    }

    function _depositorOf(address account) private returns (Depositor) {
        address at = addressOf(account);
        if (at.code.length == 0) Clones.cloneDeterministic(implementation, _salt(account));
        return Depositor(at);
    }

    function _salt(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
