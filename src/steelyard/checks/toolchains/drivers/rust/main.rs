fn main() { answer::steelyard_driver::run() }
