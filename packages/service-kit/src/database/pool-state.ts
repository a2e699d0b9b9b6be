/** Current state of the driver's connection pool. */
export interface PoolState {
  open: number;
  checkedOut: number;
  waiting: number;
  most: number;
}
