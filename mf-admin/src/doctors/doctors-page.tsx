/** Doctors (`/dash/doctors`). */
export function DoctorsPage() {
  return <h1 className="text-2xl font-bold">Doctors</h1>;
}
