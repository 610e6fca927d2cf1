
const _: () = ();
#[path = "driver.rs"]
pub mod steelyard_driver;
