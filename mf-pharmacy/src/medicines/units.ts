/** '1 box', '30 tablets', '500 ml': an amount with its unit. */
export function amountOf(quantity: number, unit: string): string {
  return `${quantity.toLocaleString('en')} ${unitName(quantity, unit)}`;
}

/** The unit after a number; measures such as ml have no plural. */
export function unitName(quantity: number, unit: string): string {
  if (quantity === 1 || unit === 'ml' || unit === 'mg') return unit;
  return unit.endsWith('x') ? `${unit}es` : `${unit}s`;
}
