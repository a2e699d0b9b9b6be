/** Record (`/dash/doctorAppoinments`). */
export function RecordPage() {
  return <h1 className="text-2xl font-bold">Record</h1>;
}
