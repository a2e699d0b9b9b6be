/** Create Profile (`/dash/createProfile`). */
export function CreateProfilePage() {
  return <h1 className="text-2xl font-bold">Create Profile</h1>;
}
