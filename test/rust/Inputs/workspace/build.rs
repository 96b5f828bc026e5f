// What the cc crate does: compiles C by $CC.
use std::process::Command;

fn main() {
    let out = std::env::var("OUT_DIR").unwrap();
    let compiler = std::env::var("CC").unwrap_or("cc".into());
    let object = format!("{out}/part.o");
    assert!(Command::new(compiler).args(["-O1", "-c", "part.c", "-o", &object]).status().unwrap().success());
    println!("cargo:rustc-link-arg-bins={object}");
    println!("cargo:rustc-env=BUILT={}", depends::once(3));
    println!("cargo:rerun-if-changed=part.c");
    println!("cargo:rerun-if-env-changed=CC");
}
