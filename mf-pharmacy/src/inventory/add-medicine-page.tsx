/** Add New Medicine (`/dash/addmedicine`). */
export function AddMedicinePage() {
  return <h1 className="text-2xl font-bold">Add New Medicine</h1>;
}
