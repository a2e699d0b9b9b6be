/** Medicine Inventory (`/dash/medicine`). */
export function InventoryPage() {
  return <h1 className="text-2xl font-bold">Medicine Inventory</h1>;
}
