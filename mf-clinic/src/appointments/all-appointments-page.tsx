/** Appointments (`/dash/appoinments`). */
export function AllAppointmentsPage() {
  return <h1 className="text-2xl font-bold">Appointments</h1>;
}
