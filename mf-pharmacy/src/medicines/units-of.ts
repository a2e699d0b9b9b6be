/** The unit after a quantity: '1 box', '2 boxes', '2 ml'. */
export function unitsOf(quantity: number, unit: string): string {
  if (quantity === 1 || unit === 'ml' || unit === 'mg') return unit;
  return unit.endsWith('x') ? `${unit}es` : `${unit}s`;
}
