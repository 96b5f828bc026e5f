/// Calls back into C, or whoever calls it.
#[no_mangle]
pub extern "C" fn plug_each(count: u32, call: extern "C" fn(u32)) {
    (0..count).for_each(|number| call(number));
}
