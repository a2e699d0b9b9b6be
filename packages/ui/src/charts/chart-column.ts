export interface ChartColumn<Row> {
  readonly header: string;
  /** Value for the spreadsheet. */
  readonly value: (row: Row) => string | number;
  /** Value for people; default: the same. */
  readonly text?: (row: Row) => string;
}
