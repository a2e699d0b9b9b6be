/** Our Doctors (`/ourDoctors`). */
export function DoctorDirectoryPage() {
  return <h1 className="text-2xl font-bold">Our Doctors</h1>;
}
