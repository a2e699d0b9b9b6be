// Preloaded into a gateway (`node --import`): it then has the contract raised by one.
import { raiseContract } from '@clinic/contracts/testing/raised-contract';

raiseContract();
